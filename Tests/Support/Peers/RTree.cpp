// The peer of tracer-demo's touch benchmark: Boost's R-tree over the boxes of the pieces, and the exact distance for what
// it finds. Reads what 'tracer-demo bench --export' wrote, and prints nanoseconds of a near and of a far touch.
#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cstdio>
#include <ctime>
#include <utility>
#include <vector>

namespace geometry = boost::geometry;
using Point = geometry::model::point<double, 2, geometry::cs::cartesian>;
using Box = geometry::model::box<Point>;
using Entry = std::pair<Box, unsigned>;
using Tree = geometry::index::rtree<Entry, geometry::index::rstar<16>>;

struct Piece {
    double x, y, dx, dy, inverseSquare;

    double squaredDistance(double px, double py) const {
        double ox = px - x, oy = py - y;
        double share = std::min(std::max((ox * dx + oy * dy) * inverseSquare, 0.0), 1.0);
        ox -= dx * share;
        oy -= dy * share;
        return ox * ox + oy * oy;
    }
};

static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int count, char **arguments) {
    FILE *file = count > 1 ? std::fopen(arguments[1], "rb") : nullptr;
    double head[3];
    if (!file || std::fread(head, sizeof(double), 3, file) != 3) return 66;
    std::vector<double> numbers(size_t(head[0]) * 4 + size_t(head[1]) * 4);
    if (std::fread(numbers.data(), sizeof(double), numbers.size(), file) != numbers.size()) return 65;
    std::fclose(file);

    double radius = head[2];
    std::vector<Piece> pieces;
    std::vector<Entry> entries;
    for (size_t index = 0; index < size_t(head[0]); index++) {
        const double *p = &numbers[index * 4];
        double dx = p[2] - p[0], dy = p[3] - p[1], square = dx * dx + dy * dy;
        pieces.push_back({p[0], p[1], dx, dy, square > 0 ? 1 / square : 0});
        // The boxes are larger by the radius, so that a touch is looked up as a point.
        Point low(std::min(p[0], p[2]) - radius, std::min(p[1], p[3]) - radius);
        Point high(std::max(p[0], p[2]) + radius, std::max(p[1], p[3]) + radius);
        entries.push_back({Box(low, high), unsigned(index)});
    }
    Tree tree(entries.begin(), entries.end());

    long hits = 0;
    const double *touches = &numbers[size_t(head[0]) * 4];
    for (int kind = 0; kind < 2; kind++, touches += size_t(head[1]) * 2) {
        double least = 1e300;
        for (int repetition = 0; repetition < 7; repetition++) {
            double start = now();
            for (size_t touch = 0; touch < size_t(head[1]); touch++) {
                double x = touches[touch * 2], y = touches[touch * 2 + 1];
                auto near = geometry::index::contains(Point(x, y)) && geometry::index::satisfies([&](const Entry &entry) {
                    return pieces[entry.second].squaredDistance(x, y) <= radius * radius;
                });
                if (tree.qbegin(near) != tree.qend()) hits++;
            }
            least = std::min(least, now() - start);
        }
        std::printf("%.1f ", least / head[1]);
    }
    std::printf("\n");
    return hits < 0;
}
