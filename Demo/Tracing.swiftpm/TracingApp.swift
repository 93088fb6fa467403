import SwiftUI
import Tracer
import TracerViews

@main struct TracingApp: App {
    var body: some Scene {
        WindowGroup { LessonView() }
    }
}

/// A letter with the image of a word that begins with it.
struct Word: Identifiable {
    let letter: String
    let image: String
    var id: String { letter }

    static let all = [
        Word(letter: "A", image: "ant.fill"), Word(letter: "C", image: "car.fill"),
        Word(letter: "L", image: "leaf.fill"),
        Word(letter: "H", image: "house.fill"), Word(letter: "M", image: "moon.fill"),
        Word(letter: "T", image: "tortoise.fill"), Word(letter: "U", image: "umbrella.fill"),
    ]
}

/// Draws the lines of each stroke in a color of its own. A line beside the letter keeps its red, and a tap is not drawn.
final class Rainbow: TracePictureDelegate {
    func picture(_ picture: TracePicture, colorOf line: TracedLine, as color: TracedLine.Color) -> TraceColor {
        guard color == .black else { return picture.standardColor(color) }
        let colors = [
            TraceColor(red: 200, green: 60, blue: 120), TraceColor(red: 20, green: 130, blue: 160),
            TraceColor(red: 120, green: 90, blue: 200), TraceColor(red: 190, green: 100, blue: 0),
        ]
        return colors[line.stroke % colors.count]
    }

    func picture(_ picture: TracePicture, shouldDraw line: TracedLine) -> Bool { line.start != line.end }
}

/// A quiz: a letter after another, with a hint after three mistakes.
struct LessonView: View {
    @StateObject private var model = TraceModel(
        glyphs: Word.all.compactMap { Alphabet.glyph($0.letter) }, settings: TraceSettings(mode: .ordered))
    @State private var isRainbow = false
    @State private var rainbow = Rainbow()

    private var quiz: TraceQuiz { model.quiz }
    private var score: TraceScore? { model.session.map { TraceScore($0) } }
    private var isLast: Bool { quiz.position + 1 == quiz.glyphs.count }

    var body: some View {
        VStack(spacing: 16) {
            progress
            ZStack {
                Image(systemName: Word.all[quiz.position].image).resizable().scaledToFit().opacity(0.15)
                TracingCanvas(model: model, picture: picture)
            }
            Text(message)
            HStack(spacing: 24) {
                Button("Undo") { model.undo() }
                Button(isLast ? "Start again" : "Next") { model.showLetter(at: isLast ? 0 : quiz.position + 1) }
            }
            Picker("Mode", selection: $model.settings.mode) {
                Text("In order").tag(TraceSettings.Mode.ordered)
                Text("Any order").tag(TraceSettings.Mode.free)
            }
            Slider(value: $model.settings.leniency, in: 0...1)
            Toggle("Rainbow", isOn: $isRainbow)
        }
        .padding()
    }

    /// The letters, and a star for each one that is complete.
    private var progress: some View {
        HStack(spacing: 12) {
            ForEach(Word.all) { word in
                let index = Word.all.firstIndex { $0.id == word.id } ?? 0
                Button(quiz.results[index].isComplete ? "\(word.letter)★" : word.letter) { model.showLetter(at: index) }
            }
        }
    }

    private var message: String {
        if quiz.isComplete { return "All letters, with \(quiz.mistakes) mistakes" }
        guard let score, model.session?.isComplete == true else { return "\(Int(model.completion * 100)) percent" }
        return "\(score.points) points. " + score.reasons.map { $0.description }.joined(separator: " ")
    }

    /// The guide is translucent, so that the image behind it is visible.
    private func picture(_ scheme: TracePicture.Scheme) -> TracePicture {
        var picture = TracePicture(scheme)
        picture.backgroundColor = nil
        picture.guideColor.alpha = 150
        picture.delegate = isRainbow ? rainbow : nil
        return picture
    }
}
