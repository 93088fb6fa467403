// Search runs in a worker, which browsers refuse to pages that are opened from a disk. There, a hidden frame takes its
// place. The theme's worker knows such frames by the name of this class.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.scope = frame.contentWindow
      // Else Firefox loads the empty document later, and drops the script with this one.
      this.scope.document.open()
      this.scope.document.close()
      this.scope.postMessage = (data) =>
        setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })))
      const script = this.scope.document.createElement("script")
      this.loaded = new Promise((resolve) => (script.onload = resolve))
      script.src = url
      this.scope.document.documentElement.append(script)
    }

    postMessage(data) {
      this.loaded.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })))
    }
  }
}
