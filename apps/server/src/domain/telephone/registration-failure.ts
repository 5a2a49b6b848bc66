import type { PhoneConnection } from '@parley/contract'
import type { RegistrationState } from '@parley/telephone'

type Failed = Extract<RegistrationState, { kind: 'failed' }>
type SipAccount = NonNullable<PhoneConnection['sip']>

const transports = { udp: 'UDP', tcp: 'TCP', tls: 'TLS' } as const

/** Explains to the user why a SIP account is not registered, and what to do next. */
export function explainRegistration({ status, reason }: Failed, { host, transport }: SipAccount): string {
  if (status === null)
    return `${host} did not respond over ${transports[transport]}. Check host, port and transport, whether a firewall blocks them${transport === 'tls' ? ', and whether its certificate is trusted' : ''}.`
  if (status === 401 || status === 407 || status === 403)
    return `The registrar rejected the user name or the password (${status}). Check accountId, sip.loginName and secret.`
  if (status === 404) return `The registrar does not know the account (404). Check accountId and sip.domain.`
  if (status === 423 || status >= 500)
    return `The registrar cannot register the account at the moment (${status}${textOf(reason)}). The service tries again.`
  return `The registrar rejected the registration (${status}${textOf(reason)}).`
}

const maxReasonLength = 100

/** The reason comes from the registrar. */
function textOf(reason: string): string {
  const text = reason.replace(/[^\x20-\x7e]/g, '').slice(0, maxReasonLength)
  return text === '' ? '' : ` ${text}`
}
