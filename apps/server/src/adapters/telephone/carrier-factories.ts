import {
  type Carrier,
  type CarrierOptions,
  InvalidAccount,
  Plivo,
  Telnyx,
  Twilio,
  Vonage,
} from '@parley/telephone'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'

/** The kinds of phone connections whose provider has an API. */
export type ApiKind = Exclude<PhoneConnectionRecord['kind'], 'sip' | 'asterisk'>

/** The decrypted secrets of a phone connection. */
export interface CarrierSecrets {
  readonly secret: string
  readonly webhookSecret: string | null
}

export interface CarrierAccount extends CarrierSecrets {
  readonly accountId: string
  /** The URL of the phone connection's webhook. */
  readonly webhookUrl: string
  readonly baseUrl?: string
}

export type MadeCarrier =
  | { readonly ok: true; readonly carrier: Carrier }
  | { readonly ok: false; readonly problem: string }

interface Factory {
  /** A description of `webhookSecret` for error messages, or null if the kind has none. */
  readonly webhookSecret: string | null
  /** Throws `InvalidAccount` if a secret has the wrong form. */
  make(account: CarrierAccount & { readonly webhookSecret: string }, options: CarrierOptions): Carrier
}

const factories: Readonly<Record<ApiKind, Factory>> = {
  twilio: {
    webhookSecret: null,
    make: ({ accountId, secret, ...account }, options) =>
      new Twilio({ ...account, accountSid: accountId, authToken: secret }, options),
  },
  telnyx: {
    webhookSecret: 'the public key of your Telnyx account',
    make: ({ accountId, secret, webhookSecret, ...account }, options) =>
      new Telnyx({ ...account, connectionId: accountId, apiKey: secret, publicKey: webhookSecret }, options),
  },
  plivo: {
    webhookSecret: null,
    make: ({ accountId, secret, ...account }, options) =>
      new Plivo({ ...account, authId: accountId, authToken: secret }, options),
  },
  vonage: {
    webhookSecret: 'the signature secret of your Vonage account',
    make: ({ accountId, secret, webhookSecret, ...account }, options) =>
      new Vonage(
        { ...account, applicationId: accountId, privateKey: secret, signatureSecret: webhookSecret },
        options,
      ),
  },
}

/** The account's field of each secret that can have the wrong form. */
const invalidSecrets: Readonly<Record<string, string>> = {
  publicKey: 'The stored webhookSecret is not a public key of Telnyx, which is 32 bytes in base64.',
  privateKey: 'The stored secret is not an RSA private key in PEM format.',
}

/** Returns the provider of an account, or why its secrets cannot be used. */
export function makeCarrier(kind: ApiKind, account: CarrierAccount, options: CarrierOptions): MadeCarrier {
  const factory = factories[kind]
  const { webhookSecret } = account
  if (webhookSecret === null && factory.webhookSecret !== null)
    return {
      ok: false,
      problem: `No webhook secret is stored for this phone connection. Set webhookSecret to ${factory.webhookSecret} and try again.`,
    }
  try {
    return { ok: true, carrier: factory.make({ ...account, webhookSecret: webhookSecret ?? '' }, options) }
  } catch (error) {
    if (!(error instanceof InvalidAccount)) throw error
    return { ok: false, problem: invalidSecrets[error.field] ?? 'A stored secret has the wrong form.' }
  }
}
