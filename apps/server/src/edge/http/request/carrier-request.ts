import type { IncomingMessage } from 'node:http'
import type { Carrier, CarrierRequest } from '@parley/telephone'
import { validate as isUuid } from 'uuid'
import { DomainError } from '../../../domain/domain-error.js'
import type { MediaSockets } from '../../../ports/carriers.js'
import type { PhoneConnectionRecord } from '../../../ports/phone-stores.js'
import type { Services } from '../services.js'
import { attemptCaller, count, RecentEntries } from './rate-limit.js'

/** A webhook that a telephone provider has signed. */
export interface AuthenticWebhook {
  readonly connection: PhoneConnectionRecord
  readonly carrier: Carrier
  readonly request: CarrierRequest
}

/** The handshake of a media socket. It proves its origin only if `media.isProvenByHandshake`. */
export interface AuthenticHandshake {
  readonly connection: PhoneConnectionRecord
  readonly media: MediaSockets
  readonly request: CarrierRequest
}

type CarrierServices = Pick<
  Services,
  'database' | 'carriers' | 'publicUrl' | 'rateLimiter' | 'metrics' | 'clientAddress' | 'clock'
>

/**
 * For this time after an authentic request, failed attempts of others at the same address do not affect the phone
 * connection. Many customers share the addresses of a provider.
 */
const provenSenders = { forMilliseconds: 24 * 60 * 60_000, maxEntries: 10_000 } as const

/**
 * Admits the requests of telephone providers. Each counts as an attempt before anything is looked up. The attempt is
 * reverted when the request has proven its origin, so that only forged requests consume the limit.
 */
export class CarrierAdmission {
  readonly #services: CarrierServices
  readonly #proven: RecentEntries
  readonly #attempts = new WeakMap<IncomingMessage, string>()

  constructor(services: CarrierServices) {
    this.#services = services
    this.#proven = new RecentEntries(services.clock, provenSenders)
  }

  /** Counts a request before its body is read. Throws if too many attempts of its sender have failed. */
  async count(request: IncomingMessage, phoneConnectionId: string): Promise<void> {
    const sender = this.#senderOf(request, phoneConnectionId)
    const attempted = this.#proven.has(sender)
      ? `phone:${sender}`
      : attemptCaller(this.#services.clientAddress(request))
    const { refusal } = await count(this.#services, attempted)
    if (refusal === null) {
      this.#attempts.set(request, attempted)
      return
    }
    // A refused attempt was not checked, so it does not count.
    await this.#giveBack(attempted)
    throw refusal
  }

  /** Must be called when a request has proven its origin. Reverts its count. */
  async noteProof(request: IncomingMessage, phoneConnectionId: string): Promise<void> {
    this.#proven.note(this.#senderOf(request, phoneConnectionId))
    const attempted = this.#attempts.get(request)
    if (attempted === undefined) return
    this.#attempts.delete(request)
    await this.#giveBack(attempted)
  }

  /** Returns the phone connection of a webhook. Throws the same error for an unknown one and for a wrong signature. */
  async requireWebhook(
    message: IncomingMessage,
    { phoneConnectionId, body }: { readonly phoneConnectionId: string; readonly body: string },
  ): Promise<AuthenticWebhook> {
    const { carriers, publicUrl } = this.#services
    const connection = await this.#find(phoneConnectionId)
    const carrier = connection && carriers.of(connection)
    const request = requestOf(message, publicUrl(), body)
    if (connection === null || carrier === null || !carrier.isAuthentic(request, 'webhook'))
      throw wrongProof()
    await this.noteProof(message, phoneConnectionId)
    return { connection, carrier, request }
  }

  /** Returns the phone connection of a handshake. Throws the same errors as for webhooks. */
  async requireHandshake(message: IncomingMessage, phoneConnectionId: string): Promise<AuthenticHandshake> {
    const { carriers, publicUrl } = this.#services
    const connection = await this.#find(phoneConnectionId)
    const media = connection && carriers.mediaOf(connection)
    const request = requestOf(message, publicUrl().replace(/^http/, 'ws'), '')
    if (connection === null || media === null || !media.isAuthentic(request)) throw wrongProof()
    if (media.isProvenByHandshake) await this.noteProof(message, phoneConnectionId)
    return { connection, media, request }
  }

  async #find(phoneConnectionId: string): Promise<PhoneConnectionRecord | null> {
    if (!isUuid(phoneConnectionId)) return null
    return this.#services.database.stores.phoneConnections.findForProvider(phoneConnectionId.toLowerCase())
  }

  #senderOf(request: IncomingMessage, phoneConnectionId: string): string {
    return `${phoneConnectionId.toLowerCase()}:${this.#services.clientAddress(request)}`
  }

  /** If this fails, the request counts until the end of the minute. */
  async #giveBack(attempted: string): Promise<void> {
    await this.#services.rateLimiter.giveBack(attempted).catch(() => undefined)
  }
}

/** The signature covers the configured public URL, never the Host header. */
function requestOf(
  { url = '', method = '', headers }: IncomingMessage,
  base: string,
  body: string,
): CarrierRequest {
  return { method, url: `${base}${url}`, headers, body }
}

function wrongProof(): DomainError {
  return new DomainError(
    'Forbidden',
    'The signature is wrong. The provider must call this service at its PARLEY_PUBLIC_URL, with the secret of the phone connection.',
  )
}
