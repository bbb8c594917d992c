// The search of the site runs in a worker, which browsers refuse to pages opened from a folder. There an
// invisible frame takes its place: it loads the worker's script and passes messages both ways.
if (location.protocol === "file:") {
  const message = (data) => new MessageEvent("message", { data: structuredClone(data) })
  window.Worker = class {
    constructor(address) {
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      this.inside = this.frame.contentWindow
      this.inside.postMessage = (data) => this.onmessage?.(message(data))
      const script = this.inside.document.createElement("script")
      script.src = address
      this.loaded = new Promise((resolve) => script.addEventListener("load", resolve))
      this.inside.document.body.append(script)
    }

    postMessage(data) {
      this.loaded.then(() => this.inside.dispatchEvent(message(data)))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
