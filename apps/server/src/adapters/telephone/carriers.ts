import { CarrierError, RequestNotSent, StreamLeg, Twilio, TwilioProtocol } from '@parley/telephone'
import type { PhoneSecrets } from '../../domain/telephone/phone-connections.js'
import type { Carriers } from '../../ports/carriers.js'
import type { Outbound, OutboundMethod } from '../../ports/outbound.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Timers } from '../../ports/time.js'

const twilioUrl = 'https://api.twilio.com'
const timeoutMilliseconds = 10_000
const maxResponseBytes = 64 * 1024

export interface CarriersDependencies {
  readonly outbound: Outbound
  readonly timers: Timers
  /** Returns the decrypted secrets of a phone connection, or null if it has none. */
  readonly openSecrets: (connection: PhoneConnectionRecord) => PhoneSecrets | null
}

export function makeCarriers({ outbound, timers, openSecrets }: CarriersDependencies): Carriers {
  const fetch = guardedFetch(outbound)
  return {
    async test(connection) {
      const { accountId, baseUrl } = connection
      const secret = openSecrets(connection)?.secret ?? null
      if (secret === null)
        return failed(null, 'No secret is stored for this phone connection. Set secret and try again.')
      const url = `${baseUrl ?? twilioUrl}/2010-04-01/Accounts/${encodeURIComponent(accountId)}.json`
      const credentials = Buffer.from(`${accountId}:${secret}`).toString('base64')
      const headers = { authorization: `Basic ${credentials}` }
      try {
        const response = await outbound.fetch(url, { headers, timeoutMilliseconds, maxResponseBytes })
        response.discard()
        return judge(response.status)
      } catch (error) {
        if (outbound.isFailure(error)) return failed(null, error.detail)
        throw error
      }
    },

    of(connection) {
      const authToken = openSecrets(connection)?.secret ?? null
      // The other kinds are not wired yet.
      if (authToken === null || connection.kind !== 'twilio') return null
      const { accountId: accountSid, baseUrl } = connection
      return new Twilio({ accountSid, authToken, baseUrl: baseUrl ?? twilioUrl }, { fetch })
    },

    legOf: (carrier, socket) => new StreamLeg({ socket, carrier, timers, protocol: new TwilioProtocol() }),

    failureOf: (error) =>
      error instanceof CarrierError
        ? {
            detail: error.message,
            isOfAccount: error.code === 'unauthorized' || error.code === 'not_found',
            isOutcomeUnknown: error.isOutcomeUnknown,
          }
        : null,
  }
}

/** Sends the requests of a carrier through the guard of outbound requests. */
function guardedFetch(outbound: Outbound): typeof fetch {
  return async (input, init = {}) => {
    let isSent = false
    const answer = outbound.fetch(String(input), {
      ...{ timeoutMilliseconds, maxResponseBytes, followsRedirects: false },
      method: init.method as OutboundMethod | undefined,
      headers: init.headers as Record<string, string>,
      body: init.body as string | undefined,
      onSent: () => {
        isSent = true
      },
    })
    const { status, ...response } = await answer.catch((error: unknown) => {
      throw !isSent && outbound.isFailure(error) ? new RequestNotSent(error.detail) : error
    })
    const body = Buffer.from(await response.bytes())
    return new Response(body.length === 0 ? null : body, { status })
  }
}

function judge(status: number): Awaited<ReturnType<Carriers['test']>> {
  if (status === 401 || status === 403)
    return failed(status, `The provider answered ${status}: it rejected the account or its secret.`)
  if (status === 404)
    return failed(
      404,
      'The provider answered 404: it does not know the account. Check accountId and baseUrl.',
    )
  if (status < 200 || status > 299)
    return failed(status, `The provider answered ${status}. Try again, or check baseUrl.`)
  return { ok: true, detail: 'The provider responded and accepted the account.', providerStatus: status }
}

function failed(providerStatus: number | null, detail: string) {
  return { ok: false, detail, providerStatus }
}
