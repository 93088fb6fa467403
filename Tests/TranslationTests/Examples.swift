import Translation

/// An example file for each tool with common constructs.
enum Examples {
    static let all: [(ForeignTool, String)] = [(.just, justfile), (.make, makefile), (.fastlane, fastfile)]

    static let justfile = #"""
        # What a small project has.
        set dotenv-load
        set shell := ["bash", "-euc"]
        set quiet

        export NAME := "demo"
        bin := ".build" / "release"
        commit := `git rev-parse HEAD`

        alias b := build

        # Lists the recipes
        default:
            @just --list

        # Builds the tool
        build mode="debug":
            swift build -c {{mode}}
            @echo "built {{bin}}/{{NAME}} of {{commit}}"

        [group('check')]
        test *ARGS: build
            # only here
            swift test {{ARGS}}
            -rm -r \
                tmp

        check: (build "release") test
            swift format lint -r .

        [macos]
        open:
            open {{bin}}

        _clean:
            #!/usr/bin/env bash
            set -e
            if [ -d .build ]; then
                rm -r .build
            fi

        mod other
        """#

    static let makefile = #"""
        # What a small project has.
        PREFIX ?= /usr/local
        TOOL = demo
        export LANG = C
        BIN = $(shell swift build --show-bin-path)/$(TOOL)
        ifeq ($(shell uname),Darwin)
        	FLAGS = --arch arm64
        endif

        .PHONY: all build test install clean

        all: build test

        build: ## Build the tool
        	swift build -c release $(FLAGS)

        # Runs the tests
        test:
        	@swift test \
        		--parallel \
        		2>&1
        	-rm -r tmp
        	@echo $$PATH

        install: build
        	install $(BIN) $(PREFIX)/bin/$(TOOL)
        	$(MAKE) clean

        clean:
        	$(RM) -r .build $@

        docs: docs/index.html
        docs/index.html: docs/%.md
        	pandoc $< > $@

        """#

    static let fastfile = #"""
        # What a small project has.
        fastlane_version "2.0"
        require 'json'
        default_platform(:ios)

        before_all do
          ensure_git_status_clean
        end

        platform :ios do
          desc "Runs the tests"
          lane :test do
            run_tests(package_path: ".")
            swiftlint
          end

          desc "Builds the tool"
          lane :build do |options|
            spm(command: "build", configuration: "release")
            sh("echo built #{options[:build_name]}")
          end

          lane :beta do
            test
            version = get_version_number(
              target: "App"
            )
            upload_to_testflight
          end

          private_lane :notify do
            puts "done"
          end
        end

        error do |lane, exception|
          sh "echo failed"
        end
        """#
}
