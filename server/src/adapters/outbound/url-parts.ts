/** The one parser for all that is compared or connected, so that no two of them read a spelling differently. */
export function parseUrl(text: string, base?: URL): URL | null {
  return URL.canParse(text, base?.href) ? new URL(text, base) : null
}

export function hostnameOf(url: URL): string {
  return bareHostname(url.hostname)
}

/** A host without what a URL adds: brackets around IPv6, and the final dot of an absolute name. */
export function bareHostname(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return isSecure(url) ? 443 : 80
}

export function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'wss:'
}
