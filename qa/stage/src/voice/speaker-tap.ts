/** The amount of audio that was sent to the speaker by some time. */
export interface SpeakerSample {
  readonly atMilliseconds: number
  readonly playedMilliseconds: number
  /** Silence between the first and the last sound. */
  readonly gapMilliseconds: number
}

const tap = `
class Tap extends AudioWorkletProcessor {
  #played = 0
  #quiet = 0
  #gaps = 0
  #frames = 0
  process([input]) {
    for (const sample of input[0] ?? []) {
      this.#frames += 1
      if (Math.abs(sample) > 0.001) {
        if (this.#played === 0) this.#frames = 1e9
        this.#played += 1
        this.#gaps += this.#quiet
        this.#quiet = 0
      } else if (this.#played > 0) this.#quiet += 1
    }
    if (this.#frames < sampleRate / 20) return true
    this.#frames = 0
    this.port.postMessage([(this.#played * 1000) / sampleRate, (this.#gaps * 1000) / sampleRate])
    return true
  }
}
registerProcessor('bench-tap', Tap)`

/**
 * Runs before the page's own scripts. Adds 20 `speakerSamples` per second, and sets `soundAt` at the first
 * sound.
 */
export const listenToSpeaker = `
globalThis.speakerMoments = []
globalThis.soundAt = null
const connect = AudioNode.prototype.connect
AudioNode.prototype.connect = function (target, ...rest) {
  if (target instanceof AudioDestinationNode) {
    const { context } = this
    const url = URL.createObjectURL(new Blob([${JSON.stringify(tap)}], { type: 'text/javascript' }))
    context.audioWorklet.addModule(url).then(() => {
      const node = new AudioWorkletNode(context, 'bench-tap', { numberOfOutputs: 0 })
      node.port.onmessage = ({ data: [playedMilliseconds, gapMilliseconds] }) => {
        const atMilliseconds = performance.now()
        if (playedMilliseconds > 0) soundAt ??= atMilliseconds
        speakerMoments.push({ atMilliseconds, playedMilliseconds, gapMilliseconds })
      }
      connect.call(this, node)
    })
  }
  return connect.call(this, target, ...rest)
}`
