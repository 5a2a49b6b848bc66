import type { Page } from 'playwright-core'

/** The audio that the page sent to the speakers, on the clock of its AudioContext. */
export interface HeardSound {
  /** The largest sample. 1 is full scale. */
  readonly peak: number
  /** The last sample that was not silent, and the time when it was played. */
  readonly last: number
  readonly lastSeconds: number
  /** The time when the page received speech_started. */
  readonly speechStartedSeconds: number
  readonly nowSeconds: number
}

/** Runs before the page's own scripts. Taps every connection to the speakers and listens on the socket. */
export const listenToPage = `(() => {
  const code = \`registerProcessor('tap', class extends AudioWorkletProcessor {
    process([[heard = []]]) {
      let [peak, last] = [0, -1]
      for (let i = 0; i < heard.length; i += 1) if (heard[i] !== 0) [peak, last] = [Math.max(peak, heard[i]), i]
      if (last >= 0) this.port.postMessage({ peak, last: heard[last], lastSeconds: (currentFrame + last) / sampleRate })
      return true
    }
  })\`
  const sound = { peak: 0, last: 0, lastSeconds: 0, speechStartedSeconds: 0 }
  let context
  window.heardSound = () => ({ ...sound, nowSeconds: context?.currentTime ?? 0 })

  const addModule = AudioWorklet.prototype.addModule
  AudioWorklet.prototype.addModule = async function (address) {
    await addModule.call(this, URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
    return addModule.call(this, address)
  }
  const connect = AudioNode.prototype.connect
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      context = this.context
      const tap = new AudioWorkletNode(context, 'tap')
      tap.port.onmessage = ({ data }) => Object.assign(sound, data, { peak: Math.max(sound.peak, data.peak) })
      connect.call(this, tap)
      connect.call(tap, target)
    }
    return connect.call(this, target, ...rest)
  }
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args)
      this.addEventListener('message', ({ data }) => {
        if (JSON.parse(data).type === 'input_audio_buffer.speech_started') sound.speechStartedSeconds = context.currentTime
      })
    }
  }
})()`

/** Waits until an expression over the recorded sound is true. */
export async function waitForSound(page: Page, expression: string): Promise<HeardSound> {
  await page.waitForFunction(
    `(({ peak, last, lastSeconds, speechStartedSeconds, nowSeconds }) => ${expression})(heardSound())`,
    undefined,
    // Without an interval, playwright polls on every frame and frames are rendered for it.
    { polling: 50 },
  )
  return page.evaluate<HeardSound>('heardSound()')
}
