import type { Page } from 'playwright-core'
import { newVisitor } from './browser.js'

export interface Visit {
  readonly page: Page
  /** Console errors, failed requests and requests to other hosts. */
  readonly troubles: readonly string[]
}

/** Opens an address in a new context and waits until the network is idle. */
export async function visit(address: string, initScript = ''): Promise<Visit> {
  const troubles: string[] = []
  const { host } = new URL(address)
  const page = await (await newVisitor()).newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => void troubles.push(error.message))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.host !== host) troubles.push(`asked ${url.href}`)
  })
  page.on('requestfailed', (request) => void troubles.push(`request failed: ${request.url()}`))
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`)
  })
  if (initScript) await page.addInitScript(initScript)
  await page.goto(address, { waitUntil: 'networkidle' })
  return { page, troubles }
}
