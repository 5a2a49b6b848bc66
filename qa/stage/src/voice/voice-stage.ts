import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CDPSession, Page } from 'playwright-core'
import { startParley } from '../service/parley-service.js'
import { createTicket, makeSpeakingAgents } from '../service/speaking-agents.js'
import { launchBrowser } from './browser.js'
import { listenToSpeaker } from './speaker-tap.js'
import { startTalkingProvider, type TalkingProvider } from './talking-provider.js'

export interface VoiceStage {
  readonly provider: TalkingProvider
  /**
   * Opens an empty page with a backend that creates sessions. `sdk` is the realtime client that the service
   * serves.
   */
  openPage(options?: {
    /** Whether to measure the audio that leaves for the speaker. This costs the page some processor time. */
    readonly isListenedTo: boolean
  }): Promise<{ readonly page: Page; readonly session: CDPSession }>
  readonly browserSession: CDPSession
  close(): Promise<void>
}

/** Starts a service process, a talking provider, a page with its backend, and a browser for it. */
export async function startVoiceStage(): Promise<VoiceStage> {
  const provider = await startTalkingProvider()
  const service = await startParley({
    env: { LOG_LEVEL: 'warn', PARLEY_REALTIME_MAX_SESSION_SECONDS: '7200' },
  })
  const agents = await makeSpeakingAgents(service.api, provider.url, ['speaks'])
  const html = `<!doctype html><title>Bench</title><script type="module">
    globalThis.sdk = await import('${service.url}/sdk/v1/realtime.js')
    await import('${service.url}/sdk/v1/parley-agent.js')
  </script>`
  const pages = createServer(async ({ method }, response) => {
    if (method !== 'POST') return void response.setHeader('content-type', 'text/html').end(html)
    response.end(JSON.stringify(await createTicket(service.api, agents.speaks)))
  })
  await new Promise<void>((resolve) => void pages.listen(0, '127.0.0.1', resolve))
  const { port } = pages.address() as AddressInfo
  const browser = await launchBrowser()
  return {
    provider,
    browserSession: await browser.newBrowserCDPSession(),
    async openPage({ isListenedTo } = { isListenedTo: true }) {
      const page = await browser.newPage()
      if (isListenedTo) await page.addInitScript(listenToSpeaker)
      await page.goto(`http://127.0.0.1:${port}/`)
      await page.waitForFunction(
        "globalThis.sdk !== undefined && customElements.get('parley-agent') !== undefined",
      )
      return { page, session: await page.context().newCDPSession(page) }
    },
    async close() {
      await browser.close()
      pages.close()
      pages.closeAllConnections()
      await service.stop()
      await provider.close()
    },
  }
}
