import type { Page } from 'playwright-core'
import { newVisitor } from './browser.js'

export interface Visit {
  readonly page: Page
  /** Console errors, failed requests and requests to other hosts. */
  readonly pageErrors: readonly string[]
}

/** Opens an address in a new context and waits until the network is idle. */
export async function visit(address: string, initScript = ''): Promise<Visit> {
  const pageErrors: string[] = []
  const { host } = new URL(address)
  const page = await (await newVisitor()).newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => void pageErrors.push(error.message))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.host !== host) pageErrors.push(`asked ${url.href}`)
  })
  page.on('requestfailed', (request) => void pageErrors.push(`request failed: ${request.url()}`))
  page.on('response', (response) => {
    if (response.status() >= 400) pageErrors.push(`${response.status()} ${response.url()}`)
  })
  if (initScript) await page.addInitScript(initScript)
  await page.goto(address, { waitUntil: 'networkidle' })
  return { page, pageErrors }
}
