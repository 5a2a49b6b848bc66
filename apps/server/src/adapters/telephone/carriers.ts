import {
  Asterisk,
  type Carrier,
  CarrierError,
  type CarrierFetch,
  StreamLeg,
  streamHandshakes,
} from '@parley/telephone'
import type { Carriers } from '../../ports/carriers.js'
import type { Outbound } from '../../ports/outbound.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Timers } from '../../ports/time.js'
import { type CarrierAccount, type CarrierSecrets, makeCarrier } from './carrier-factories.js'
import { guardedFetch } from './guarded-fetch.js'

export interface CarriersDependencies {
  readonly outbound: Outbound
  readonly timers: Timers
  readonly publicUrl: () => string
  /** Returns the decrypted secrets of a phone connection, or null if it has none. */
  readonly openSecrets: (connection: PhoneConnectionRecord) => CarrierSecrets | null
}

/** `carrier` is null if the kind has no API. */
type Opened =
  | { readonly ok: true; readonly carrier: Carrier | null; readonly secrets: CarrierSecrets }
  | { readonly ok: false; readonly problem: string }

const noSecret = 'No secret is stored for this phone connection. Set secret and try again.'

export function makeCarriers(dependencies: CarriersDependencies): Carriers {
  const { outbound, timers, publicUrl, openSecrets } = dependencies
  const fetch: CarrierFetch = guardedFetch(outbound)

  function open(connection: PhoneConnectionRecord): Opened {
    const secrets = openSecrets(connection)
    if (secrets === null) return { ok: false, problem: noSecret }
    const { id, kind, accountId, baseUrl } = connection
    if (kind === 'sip' || kind === 'asterisk') return { ok: true, carrier: null, secrets }
    const account: CarrierAccount = {
      accountId,
      ...secrets,
      webhookUrl: `${publicUrl()}/phone/${id}/answer`,
      ...(baseUrl !== null && { baseUrl }),
    }
    const made = makeCarrier(kind, account, { fetch })
    return made.ok ? { ok: true, carrier: made.carrier, secrets } : made
  }

  return {
    async test(connection) {
      const opened = open(connection)
      if (!opened.ok) return failed(null, opened.problem)
      if (opened.carrier === null) return { ok: true, detail: passwordNotChecked, providerStatus: null }
      try {
        await opened.carrier.check()
      } catch (error) {
        if (!(error instanceof CarrierError)) throw error
        return failed(error.status, `${error.message}${hintOf(error)}`)
      }
      return { ok: true, detail: 'The provider responded and accepted the account.', providerStatus: 200 }
    },

    of(connection) {
      const opened = open(connection)
      return opened.ok ? opened.carrier : null
    },

    problemOf(connection) {
      const opened = open(connection)
      return opened.ok ? null : opened.problem
    },

    mediaOf(connection) {
      const { kind, accountId: username } = connection
      const opened = open(connection)
      if (!opened.ok || kind === 'sip') return null
      const { carrier, secrets } = opened
      const { subprotocol, proof, create } = streamHandshakes[kind]
      const asterisk = carrier === null ? new Asterisk({ username, password: secrets.secret }) : null
      return {
        subprotocol,
        isProvenByHandshake: proof !== 'token',
        isAuthentic: (handshake) =>
          (asterisk?.isAuthentic(handshake) ?? carrier?.isAuthentic(handshake, 'handshake')) === true,
        ...(asterisk && { readIncomingCall: (handshake) => asterisk.readIncomingCall(handshake) }),
        legOf: (socket, { url }, hangUpFailed) =>
          new StreamLeg({ socket, carrier, timers, protocol: create(url), hangUpFailed }),
      }
    },

    failureOf: (error) =>
      error instanceof CarrierError
        ? {
            detail: error.message,
            isOfAccount: error.code === 'unauthorized' || error.code === 'not_found',
            isTemporary: error.code === 'rate_limited' || error.code === 'unavailable',
            isOutcomeUnknown: error.isOutcomeUnknown,
          }
        : null,
  }
}

const passwordNotChecked = 'Asterisk has no API. The password is checked when the first call arrives.'

function hintOf({ code }: CarrierError): string {
  if (code === 'unauthorized') return ' Check accountId and secret.'
  return code === 'not_found' ? ' Check accountId and baseUrl.' : ''
}

function failed(providerStatus: number | null, detail: string) {
  return { ok: false, detail, providerStatus }
}
