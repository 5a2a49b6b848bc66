import { isIP } from 'node:net'
import { parseUrl } from '@parley/contract'
import type { OutboundUse } from '../../ports/outbound.js'
import { isPublicAddress } from './address-rules.js'
import type { AllowedHosts } from './allowed-hosts.js'
import { hostnameOf, portOf } from './url-parts.js'

const schemes: Record<OutboundUse, readonly string[]> = {
  http: ['http:', 'https:'],
  websocket: ['ws:', 'wss:'],
}

export const howToAllow = 'The operator of this service can allow it with PARLEY_ALLOWED_PRIVATE_HOSTS.'

/**
 * Returns why this URL must not be called, based only on its text. Resolved addresses are checked when
 * connecting.
 */
export function explainUrlRefusal(text: string, use: OutboundUse, allowed: AllowedHosts): string | null {
  const url = parseUrl(text)
  if (url === null) return 'The URL is not valid.'
  if (!schemes[use].includes(url.protocol)) {
    return `Only ${schemes[use].join(' and ')} addresses can be called.`
  }
  if (url.username !== '' || url.password !== '') {
    return 'The URL contains a user name or a password. Send them in a header instead.'
  }
  const hostname = hostnameOf(url)
  if (hostname.split('.').includes('')) return 'The host name of the URL is not valid.'
  if (allowed.has(hostname, portOf(url))) return null
  if (isLocalName(hostname) || (isIP(hostname) !== 0 && !isPublicAddress(hostname))) {
    return `The host ${hostname} is not a public address. ${howToAllow}`
  }
  return null
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}
