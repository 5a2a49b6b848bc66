import { parseUrl } from '@parley/contract'
import { redirectTarget } from '../../../domain/mcp-grants/oauth-client.js'
import type { OAuthRefusal } from '../../../domain/mcp-grants/oauth-refusal.js'
import { escapeHtml, renderPage } from './html-page.js'

/**
 * Renders an authorization request that was refused. `address` is where the client wants the error, or null if the client or
 * its address is not registered. Only web pages get a link: another scheme would start a program.
 */
export function renderOAuthErrorPage({ code, message }: OAuthRefusal, address: string | null): string {
  const url = address === null ? null : parseUrl(address)
  const lines = [
    '<h1>This request cannot be allowed</h1>',
    `<p>${escapeHtml(message)}</p>`,
    `<p><code>${escapeHtml(code)}</code></p>`,
  ]
  if (url !== null) {
    const target = escapeHtml(redirectTarget(url))
    lines.push(`<p>A program that wants to be opened at <strong>${target}</strong> sent this request.</p>`)
    if (url.protocol === 'https:' || url.protocol === 'http:')
      lines.push(
        `<p><a href="${escapeHtml(url.href)}" rel="noreferrer nofollow">Continue to ${target}</a> only if you know this address.</p>`,
      )
  }
  return renderPage('This request cannot be allowed', lines.join('\n'))
}
