import type { VoiceEnd } from '@parley/sdk/realtime'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putIntoMicrophone } from '../../support/browser/browser.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently, spoke } from '../../support/realtime/spoken-turns.js'
import { makeToolAgent, playCalls } from '../../support/realtime/tool-calls.js'
import { refundCall, refundTool } from '../../support/realtime/waiting-calls.js'
import { startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { acceptSession } from '../../support/sdk/scripted-voice.js'
import { audioDelta, minToneAmplitude, tone } from '../../support/sdk/tone.js'
import {
  interruptAnswer,
  loudMillisecondsOf,
  openVoiceIn,
  sendSpokenAnswer,
  stateOf,
} from '../../support/sdk/voice-in-page.js'
import { bundleForPages, openVoicePage, startVoiceIn } from '../../support/sdk/voice-page.js'
import { startTcpProxy } from '../../support/services/tcp-proxy.js'

const rate = 24_000

let running: RealtimeTestService
let sizes: ReadonlyMap<string, number>

beforeAll(async () => {
  running = await startRealtimeService()
  sizes = await bundleForPages()
})

afterAll(() => running.close())

const until = (what: () => unknown) => expect.poll(what, patiently)
const endOf = (page: Page) => page.evaluate<VoiceEnd>('voice.ended')

const openVoice = (url = running.url, options = '') => openVoiceIn(running, url, options)

describe('a voice session in a page', () => {
  test('sends microphone audio until it is muted [SDK-27]', async () => {
    await putIntoMicrophone(tone(10_000), rate)
    const page = await openVoicePage(running)
    await startVoiceIn(page, running.url)
    const provider = await acceptSession(running)
    const loudest = async () => {
      const { audio } = await provider.inbox.takeType('input_audio_buffer.append')
      const bytes = Buffer.from(String(audio), 'base64')
      expect(bytes.length).toBe(960 * 2)
      return Math.max(...new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2))
    }
    await until(loudest).toBeGreaterThan(minToneAmplitude)
    await until(() => page.evaluate<number>('voice.levels.input')).toBeGreaterThan(0.01)
    expect((await stateOf(page)).media).toMatchObject({ microphone: 'on', isAudible: true })
    await page.evaluate('voice.mute()')
    await until(loudest).toBe(0)
    expect((await stateOf(page)).media.microphone).toBe('muted')
  })

  test('can switch the microphone during the session [SDK-27]', async () => {
    const { page, provider } = await openVoice()
    const { microphoneId } = (await stateOf(page)).media
    const others = `(await navigator.mediaDevices.enumerateDevices()).filter(({ kind, deviceId }) =>
      kind === 'audioinput' && deviceId !== 'default' && deviceId !== '${microphoneId}')`
    await page.evaluate(`(async () => voice.useMicrophone(${others}[0].deviceId))()`)
    const { media } = await stateOf(page)
    expect(media).toMatchObject({ microphone: 'on', microphoneLabel: expect.stringContaining('Fake') })
    expect(media.microphoneId).not.toBe(microphoneId)
    const before = provider.inbox.all.length
    await until(() => provider.inbox.all.length).toBeGreaterThan(before + 3)
  })

  test('stops playback when a person speaks and reports what was really played [SDK-28] [SDK-27]', async () => {
    const { page, provider } = await openVoice()
    await interruptAnswer(page, provider, 'a')

    const played = await loudMillisecondsOf(page)
    provider.send(audioDelta('a', 200, 'r'))
    provider.send(audioDelta('next', 200, 'r'))
    await until(() => loudMillisecondsOf(page)).toBeGreaterThan(played + 150)
    expect(await loudMillisecondsOf(page)).toBeLessThan(played + 250)
    const { transcript } = await stateOf(page)
    expect(transcript).toEqual([])
  })

  test('plays all of an answer exactly once [SDK-27]', async () => {
    const { page, provider } = await openVoice(running.url, 'microphone: false')
    sendSpokenAnswer(provider, 'a', 1)
    await until(async () => (await stateOf(page)).phase).toBe('speaking')
    await until(async () => (await stateOf(page)).phase).toBe('listening')
    expect(Math.abs((await loudMillisecondsOf(page)) - 1000)).toBeLessThan(15)
    expect(provider.inbox.types).not.toContain('input_audio_buffer.append')
  })

  test('continues after a network failure during an answer with its microphone still open [SDK-26] [SDK-27]', async () => {
    const { hostname, port } = new URL(running.url)
    const proxy = await startTcpProxy(hostname, Number(port))
    const { page, provider } = await openVoice(proxy.rewriteUrl(running.url))
    const { conversationId } = await stateOf(page)
    sendSpokenAnswer(provider, 'a', 2)
    await until(() => loudMillisecondsOf(page)).toBeGreaterThan(200)
    await proxy.cut()
    await until(async () => (await stateOf(page)).connection).toBe('reconnecting')
    await proxy.restore()
    const next = await acceptSession(running)
    await next.inbox.takeType('input_audio_buffer.append')
    await until(() => loudMillisecondsOf(page)).toBeGreaterThan(1900)
    expect(await stateOf(page)).toMatchObject({ conversationId, connection: 'open' })
  })

  test('loads its worklet under a strict policy, or explains what to do [SDK-29] [SDK-27]', async () => {
    await putIntoMicrophone(Buffer.alloc(rate * 10), rate)
    const page = await openVoicePage(running, { policy: "script-src 'self'" })
    await startVoiceIn(page, running.url, 'ticket: () => new Promise(() => undefined), workletUrl: undefined')
    expect(await endOf(page)).toMatchObject({
      reason: 'audio_unavailable',
      message: expect.stringMatching(/workletUrl.*script-src/),
    })
    await startVoiceIn(page, running.url, "workletUrl: '/audio.worklet.js'")
    const provider = await acceptSession(running)
    await page.evaluate('voice.ready')
    await provider.inbox.takeType('input_audio_buffer.append')
  })

  test('explains a refused session, although browsers hide the reason [SDK-25] [SDK-27]', async () => {
    const page = await openVoicePage(running)
    const { webSocketPath } = await running.createTicket()
    const used = await running.connect(webSocketPath)
    await startVoiceIn(page, running.url, `ticket: ${JSON.stringify(webSocketPath)}, microphone: false`)
    expect(await endOf(page)).toMatchObject({ reason: 'refused', errorCode: 'RealtimeSessionAlreadyUsed' })
    used.socket.close()
    await running.provider.accept()
  })

  test('works as an element with button, live words, approval card and typing under a strict policy [SDK-34] [SDK-27]', async () => {
    await putIntoMicrophone(Buffer.alloc(rate * 60), rate)
    const tools = await startScriptedHttpServer()
    const agentId = await makeToolAgent(running, { tools: [refundTool(tools)] })
    const page = await openVoicePage(running, { policy: "default-src 'self'; connect-src *", agentId })
    await page.evaluate(`import('/parley-agent.js').then(() => {
      globalThis.violations = []
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))
      const agent = document.createElement('parley-agent')
      Object.assign(agent, { lang: 'de', ticket: (request) => takeTicket(request) })
      agent.setAttribute('service-url', ${JSON.stringify(running.url)})
      agent.setAttribute('worklet-url', '/audio.worklet.js')
      document.body.append(agent)
    })`)
    await page.getByRole('button', { name: 'Sprechen' }).click()
    const provider = await acceptSession(running)
    await page.getByText('Hört zu').waitFor()
    provider.send(spoke('a', 'Guten '))
    provider.send(spoke('a', 'Tag'))
    await page.getByText('Guten Tag').waitFor()
    playCalls(provider, 'r', [refundCall('c1')])
    tools.expect('POST /refund', { body: 'Paid.' })
    const card = page.getByRole('group', { name: 'Darf „Refund“ ausgeführt werden?' })
    expect(await card.innerText()).not.toContain('{')
    await card.getByText('Einzelheiten').click()
    await card.getByText('Amount: 5').waitFor()
    await card.getByRole('button', { name: 'Erlauben' }).click()
    await page.locator('summary', { hasText: 'Refund ✓' }).click()
    await page.getByText('Paid.').waitFor()
    await page.getByRole('textbox', { name: 'Nachricht schreiben' }).fill('Danke')
    await page.keyboard.press('Enter')
    await until(() => JSON.stringify(provider.inbox.all.map(({ data }) => data.toString()))).toContain(
      'Danke',
    )
    await page.getByRole('button', { name: 'Beenden' }).click()
    await page.getByText('Sie haben das Gespräch beendet.').waitFor()
    expect(await page.evaluate('violations')).toEqual([])
    await tools.close()
  })

  test('adds at most 30 KB to a page as an element [SDK-34] [SDK-27]', () => {
    expect(sizes.get('parley-agent.js')).toBeLessThan(30 * 1024)
  })

  test('adds at most 20 KB to a page [SDK-30] [SDK-27]', () => {
    expect(sizes.get('realtime.js')).toBeLessThan(20 * 1024)
  })
})
