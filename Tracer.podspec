# The copy in a release has the address of the repository in place of the one below; `ci/dist` writes it.
Pod::Spec.new do |spec|
  spec.name = 'Tracer'
  spec.version = '0.1.0'
  spec.summary = 'Letter tracing: expected paths and touches in, verdicts and pictures out.'
  spec.description = <<~TEXT
    A tracing engine on exact geometry, free of any screen: it compares touches with expected paths, says which points
    were reached and when a letter is complete. Views for UIKit, AppKit and SwiftUI are thin shells over it.
  TEXT
  spec.homepage = 'https://example.com/tracer'
  spec.license = { type: 'MIT', file: 'LICENSE' }
  spec.author = 'The Tracer authors'
  spec.source = { git: 'https://example.com/tracer.git', tag: spec.version.to_s }
  spec.swift_versions = ['6.0']
  spec.ios.deployment_target = '15.0'
  spec.osx.deployment_target = '12.0'
  # A pod is one module, so the compiler warns that the views ignore their import of Tracer.
  # The views use what the library keeps for its own package.
  spec.pod_target_xcconfig = { 'OTHER_SWIFT_FLAGS' => '$(inherited) -package-name tracer' }
  spec.source_files = 'Sources/Tracer/{Tracer,TracerViews}/**/*.swift'
end
