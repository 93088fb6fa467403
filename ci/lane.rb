# The Homebrew formula, which `ci/dist` completes. On Linux it installs the released program, on macOS it builds the
# sources.
class Lane < Formula
  desc "Build, test and release Swift packages with declarative lane files"
  homepage "@HOMEPAGE@"
  url "@REPOSITORY@", tag: "@VERSION@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    depends_on "pkgconf" => :build
    depends_on xcode: ["26.0", :build]
    depends_on "libdeflate"
    depends_on "libyaml"
    depends_on "nettle"
  end

  on_linux do
    depends_on arch: :@MACHINE@

    on_@PROCESSOR@ do
      url "@HOMEPAGE@/releases/download/@VERSION@/@ARCHIVE@"
      sha256 "@SHA256@"
    end
  end

  def install
    if OS.mac?
      system({ "LANE_OPTIMIZED" => "1" }, "ci/lane", "version")
      bin.install Dir[".build/lane-optimized/*/lane"].first
      generate_completions_from_executable(bin/"lane", "completions")
      (man1/"lane.1").write Utils.safe_popen_read(bin/"lane", "help", "--format", "man")
    else
      bin.install "bin/lane"
      share.install Dir["share/*"]
    end
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/lane version").strip
  end
end
