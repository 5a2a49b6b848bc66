import type { Codec } from './leg.js'
import type { SrtpPolicy } from './media/media-session.js'
import type { PortRange } from './media/rtp-socket.js'
import type { CallerId, NumberFormat } from './sip/caller-id.js'
import type { TlsOptions } from './sip/stream-transport.js'

/** The account at a SIP provider or exchange. Crosses to the worker thread, so it is plain data. */
export interface LineOptions {
  readonly server: {
    readonly host: string
    readonly transport: 'udp' | 'tcp' | 'tls'
  }
  /** The part of addresses after the `@`. By default the server's host. */
  readonly domain?: string
  readonly username: string
  /** By default the username. */
  readonly loginName?: string
  readonly password: string
  /** By default `from`. */
  readonly callerId?: CallerId
  /** The format of numbers in INVITE and REFER. By default `plus`. */
  readonly numberFormat?: NumberFormat
  /** Without registration, the server must know the address of this line. */
  readonly isRegistered?: boolean
  readonly expiresSeconds?: number
  /** The local address. By default the one that faces the server. */
  readonly bindAddress?: string
  /** The local SIP port. By default any. */
  readonly port?: number
  /** The address in SDP, if the router forwards the RTP ports. */
  readonly publicAddress?: string
  /** Whether packets go to no private address that the peer names, because the server is public. */
  readonly avoidsPrivateAddresses?: boolean
  readonly tls?: TlsOptions
  readonly srtp?: SrtpPolicy
  readonly codecs?: readonly Codec[]
  readonly rtpPorts?: PortRange
  readonly maxCalls?: number
  readonly minimumSessionSeconds?: number
  readonly ringSeconds?: number
  /** How long no RTP may arrive before a call ends. 0 means forever. */
  readonly audioLossSeconds?: number
}

export const lineDefaults = {
  callerId: 'from' as CallerId,
  numberFormat: 'plus' as NumberFormat,
  isRegistered: true,
  expiresSeconds: 300,
  port: 0,
  avoidsPrivateAddresses: false,
  tls: {} as TlsOptions,
  srtp: 'off' as SrtpPolicy,
  codecs: ['g711_ulaw', 'g711_alaw'] as readonly Codec[],
  rtpPorts: { first: 16_384, last: 32_766 } as PortRange,
  maxCalls: 20,
  sessionSeconds: 1800,
  minimumSessionSeconds: 90,
  ringSeconds: 120,
  transferSeconds: 60,
  audioLossSeconds: 30,
}

export interface DialOptions {
  /** A SIP URI, or a number at the line's server. */
  readonly to: string
  /** The number to show, if the provider allows it. By default the username. */
  readonly from?: string
}
