import { expect, test } from 'vitest'
import { newVisitor, putIntoMicrophone } from './browser.js'

const rate = 48_000
const url = 'http://127.0.0.1/'

/** Opens an empty page. Its address is one that may have the microphone; nobody is asked for it. */
async function openPage() {
  const visitor = await newVisitor()
  await visitor.route(url, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>here</title>' }),
  )
  const page = await visitor.newPage()
  await page.goto(url)
  return page
}

/** Half as loud as 16 bits allow. */
function tone(seconds: number): Buffer {
  const samples = Int16Array.from({ length: seconds * rate }, (_, place) => 16_000 * Math.sin(place / 20))
  return Buffer.from(samples.buffer)
}

/** Opens the microphone until something was heard, half a second at most; how loud it was. */
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

test('a visitor finds nothing of the one before', async () => {
  const first = await openPage()
  await first.evaluate(`localStorage.setItem('seen', 'yes')`)
  const second = await openPage()
  expect(await second.evaluate(`localStorage.getItem('seen')`)).toBeNull()
})

test('the microphone takes what was put into it last', async () => {
  const page = await openPage()
  const loudest = () => page.evaluate<number>(listen)
  await putIntoMicrophone(Buffer.alloc(rate * 2), rate)
  expect(await loudest()).toBe(0)
  await putIntoMicrophone(tone(2), rate)
  expect(await loudest()).toBeGreaterThan(0.1)
})
