import type { PhoneConnection, PhoneConnectionInput } from '@parley/sdk'

type Sip = NonNullable<PhoneConnection['sip']>

/** The form values of a SIP account. An empty string means no value. */
export interface SipDraft {
  readonly host: string
  readonly port: number | ''
  readonly transport: Sip['transport']
  readonly encryption: Sip['encryption']
  readonly registers: boolean
  readonly domain: string
  readonly loginName: string
  readonly callerId: Sip['callerId']
  readonly numberFormat: Sip['numberFormat']
  readonly localPort: number | ''
  readonly publicAddress: string
}

export const newSip: SipDraft = {
  host: '',
  port: '',
  transport: 'udp',
  encryption: 'off',
  registers: true,
  domain: '',
  loginName: '',
  callerId: 'from',
  numberFormat: 'plus',
  localPort: '',
  publicAddress: '',
}

export function sipDraftOf({ host, port, transport, encryption, registers, ...rest }: Sip): SipDraft {
  return {
    host,
    transport,
    encryption,
    registers,
    callerId: rest.callerId,
    numberFormat: rest.numberFormat,
    port: port ?? '',
    domain: rest.domain ?? '',
    loginName: rest.loginName ?? '',
    localPort: rest.localPort ?? '',
    publicAddress: rest.publicAddress ?? '',
  }
}

/** Returns the SIP account. Fields that the form does not have are kept. */
export function sipOf(draft: SipDraft, before: Sip | null): NonNullable<PhoneConnectionInput['sip']> {
  const { port, localPort, transport, encryption, registers, callerId, numberFormat } = draft
  return {
    ...before,
    transport,
    encryption,
    registers,
    callerId,
    numberFormat,
    host: draft.host.trim(),
    port: port === '' ? null : port,
    domain: draft.domain.trim() || null,
    loginName: draft.loginName.trim() || null,
    localPort: localPort === '' ? null : localPort,
    publicAddress: draft.publicAddress.trim() || null,
  }
}

/** The errors by the API's name of the field. */
export function validateSip({
  host,
  port,
  transport,
  registers,
  domain,
  loginName,
  localPort,
  publicAddress,
}: SipDraft) {
  return {
    'sip.host': host.trim() === '' ? 'Host is required' : hostError(host),
    'sip.port': port !== '' && !isPort(port, 1) && 'Must be a number from 1 to 65535',
    'sip.registers': transport === 'tls' && !registers && 'Required with TLS',
    'sip.domain': domain.trim() !== '' && hostError(domain),
    'sip.loginName':
      /[^\x21-\x7e]/.test(loginName.trim()) && 'Must contain only printable characters, without spaces',
    'sip.localPort': localPort !== '' && !isPort(localPort, 1024) && 'Must be a number from 1024 to 65535',
    'sip.publicAddress':
      publicAddress.trim() !== '' && !isIpv4(publicAddress.trim()) && 'Must be an IPv4 address',
  }
}

const hostError = (text: string) =>
  /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text.trim())
    ? undefined
    : 'Must be a host name or an IPv4 address'

const isPort = (port: number, min: number) => Number.isInteger(port) && port >= min && port <= 65_535

const isIpv4 = (text: string) => /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(text)
