import type { App } from '../services.js'

/**
 * What every answer tells browsers: those that helmet sends, for an API, which shows no pages but its start page and its
 * reference; these set their own policies. Helmet's plugin makes them anew for each request.
 */
export const securityHeaders = {
  // Answers are one caller's. The few routes whose answers may be kept set their own.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // This host alone: the others under its name are not ours to speak for.
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
