import type { App } from '../services.js'

/**
 * The security headers of every response: those of Helmet for an API. The start page and the reference set
 * their own policies. Helmet's plugin is not used, because it would build the headers again for each request.
 */
export const securityHeaders = {
  // Responses are not cacheable, because a response is for one caller. The few routes with cacheable
  // responses set their own value.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // Subdomains are not included, because they may belong to other services.
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const

export function registerSecurityHeaders(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders)
    done()
  })
}
