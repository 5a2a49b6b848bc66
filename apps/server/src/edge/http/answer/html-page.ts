import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether the client asks for a page rather than JSON. */
export const wantsPage = ({ headers }: FastifyRequest) => /\btext\/html\b/i.test(headers.accept ?? '')

/**
 * Sends a page of the service itself. It runs no script and loads nothing. Its style is allowed by its hash.
 */
export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
}

/** Returns a whole page. The caller escapes the text in `body`. */
export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
<main>
${body}
</main>
</html>
`
}

const style = `
:root { color-scheme: light dark; --ground: #fbfaf7; --ink: #1d1f24; --quiet: #5d626d; --line: #dddad2; --card: #fff; --link: #1f5fbf; --good: #1a7f4b; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ground: #15171b; --ink: #e8e6e1; --quiet: #a0a5b0; --line: #33373f; --card: #1d2026; --link: #8ab4f8; --good: #5fd39a; --bad: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 4rem) 1.25rem 4rem }
h1 { margin: 0 0 .5rem; font-size: 2rem; letter-spacing: -.01em }
h1 small { color: var(--quiet); font-size: 1rem; font-weight: 400 }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.15rem }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 1.5rem 0 }
dl div { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card) }
dt { color: var(--quiet); font-size: .85rem }
dd { margin: 0 }
dd::before { content: ""; display: inline-block; width: .55rem; height: .55rem; margin-right: .5rem; border-radius: 50%; background: var(--good) }
dd.bad::before { background: var(--bad) }
ol, ul { padding-left: 1.25rem }
li { margin: .5rem 0 }
pre { margin: .35rem 0 1rem; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; line-height: 1.5 }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
code { font-size: .9em }
a { color: var(--link) }
`

const hash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`
export const iconSvg =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='#1a7f4b'/></svg>"

const icon = `data:image/svg+xml,${encodeURIComponent(iconSvg)}`

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
