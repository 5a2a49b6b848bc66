/** Runs before a page's own scripts. `loudest` is the peak of the audio that was sent to the speakers. */
export const listenToSpeaker = `
globalThis.loudest = 0
const connect = AudioNode.prototype.connect
AudioNode.prototype.connect = function (target, ...rest) {
  if (target instanceof AudioDestinationNode) {
    const meter = this.context.createAnalyser()
    // More than half a second, so that a busy page that looks late misses nothing.
    meter.fftSize = 32768
    const samples = new Float32Array(meter.fftSize)
    setInterval(() => {
      meter.getFloatTimeDomainData(samples)
      let peak = globalThis.loudest
      for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
      globalThis.loudest = peak
    }, 200)
    connect.call(this, meter)
  }
  return connect.call(this, target, ...rest)
}`
