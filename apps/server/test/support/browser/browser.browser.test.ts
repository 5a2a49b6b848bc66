import { expect, test } from 'vitest'
import { newVisitor, putIntoMicrophone } from './browser.js'

const rate = 48_000
const url = 'http://127.0.0.1/'

/** Opens an empty page at an address that may use the microphone without a prompt. */
async function openPage() {
  const visitor = await newVisitor()
  await visitor.route(url, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>here</title>' }),
  )
  const page = await visitor.newPage()
  await page.goto(url)
  return page
}

/** Half of the 16-bit range. */
function tone(seconds: number): Buffer {
  const samples = Int16Array.from({ length: seconds * rate }, (_, place) => 16_000 * Math.sin(place / 20))
  return Buffer.from(samples.buffer)
}

/** Opens the microphone until it delivers sound, for half a second at most. Returns the peak. */
const listen = `(async () => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: false } })
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  let peak = 0
  for (let round = 0; round < 20 && peak === 0; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25))
    analyser.getFloatTimeDomainData(samples)
    peak = Math.max(peak, ...samples)
  }
  for (const track of stream.getTracks()) track.stop()
  await context.close()
  return peak
})()`

test('a visitor sees no data of the previous visitor', async () => {
  const first = await openPage()
  await first.evaluate(`localStorage.setItem('seen', 'yes')`)
  const second = await openPage()
  expect(await second.evaluate(`localStorage.getItem('seen')`)).toBeNull()
})

test('the microphone plays the samples that were written last', async () => {
  const page = await openPage()
  const loudest = () => page.evaluate<number>(listen)
  await putIntoMicrophone(Buffer.alloc(rate * 2), rate)
  expect(await loudest()).toBe(0)
  await putIntoMicrophone(tone(2), rate)
  expect(await loudest()).toBeGreaterThan(0.1)
})
