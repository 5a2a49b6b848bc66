import { z } from 'zod'
import { httpUrl, nonBlankText, resourceFields, sixDecimals, text, timeZone } from './field.js'
import { managedFields } from './managed-fields.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

/** A telephone number in international format. */
export const e164 = () =>
  z.string().regex(/^\+[1-9]\d{1,14}$/, {
    error: 'must be a telephone number in international format, for example +4930123456',
  })

/** The beginning of telephone numbers, for example a country code. */
export const numberPrefix = () =>
  z.string().regex(/^\+[1-9]\d{0,14}$/, {
    error: 'must be the beginning of a number in international format, for example +49',
  })

export const PhoneConnectionKind = z
  .enum(['sip', 'twilio', 'telnyx', 'plivo', 'vonage', 'asterisk'])
  .describe(
    'The kind of the telephone provider. `sip` registers with any SIP provider or exchange. `asterisk` is an Asterisk that sends the audio of calls over a WebSocket.',
  )

export type PhoneConnectionKind = z.output<typeof PhoneConnectionKind>

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day, for example 21:00' })

const quietHours = z
  .strictObject({
    from: timeOfDay.describe('The start of the quiet hours.'),
    to: timeOfDay.describe('The end of the quiet hours. If it is before `from`, they end the next day.'),
    timeZone: timeZone().describe('The IANA time zone of both times, for example `Europe/Berlin`.'),
  })
  .nullable()
  .describe('When no outgoing calls start. `null` if they can start at any time.')

const minutePrice = (direction: string) =>
  sixDecimals(z.number().min(0).max(1000))
    .nullable()
    .default(null)
    .describe(`The price of a minute of ${direction} calls in US dollars. \`null\` if it is unknown.`)

const pricePerMinute = z
  .strictObject({ incoming: minutePrice('incoming'), outgoing: minutePrice('outgoing') })
  .nullable()
  .describe(
    "The provider's prices. Answered calls count towards usage and budgets with them. `null` if the prices are unknown.",
  )

const hostName = nonBlankText(255).regex(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, {
  error: 'must be a host name or an IPv4 address',
})

const sip = z
  .strictObject({
    host: hostName.describe('The host name or address of the registrar or exchange.'),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .nullable()
      .default(null)
      .describe('The port. If `null`, the port of the SRV record, or 5060, or 5061 with TLS.'),
    transport: z.enum(['udp', 'tcp', 'tls']).default('udp').describe('The transport of SIP messages.'),
    domain: hostName.nullable().default(null).describe('The domain of the addresses. If `null`, the host.'),
    loginName: nonBlankText(200)
      .regex(/^[\x21-\x7e]+$/, { error: 'must contain only printable ASCII characters without spaces' })
      .nullable()
      .default(null)
      .describe('The user name of the login. If `null`, `accountId`.'),
    callerId: z
      .enum(['from', 'p_preferred_identity', 'p_asserted_identity'])
      .default('from')
      .describe(
        'The header with the number that outgoing calls show. With a `P-` header, `From` contains the account.',
      ),
    numberFormat: z
      .enum(['plus', 'zeros', 'digits'])
      .default('plus')
      .describe('The format of numbers in outgoing calls and transfers: `+4930…`, `004930…` or `4930…`.'),
    encryption: z
      .enum(['off', 'offered', 'required'])
      .default('off')
      .describe(
        'Whether the audio is encrypted with SRTP. The keys are sent in SIP messages, so use it with `tls`.',
      ),
    registers: z
      .boolean()
      .default(true)
      .describe(
        'Whether the service registers with the host. If `false`, the host must know the address of the service. Must be `true` with `tls`.',
      ),
    localPort: z
      .int()
      .min(1024)
      .max(65_535)
      .nullable()
      .default(null)
      .describe(
        'The port of the service that receives SIP messages, for hosts that call without a registration. Each phone connection needs another one. If `null`, any port.',
      ),
    publicAddress: z
      .ipv4({ error: 'must be an IPv4 address' })
      .nullable()
      .default(null)
      .describe(
        'The address in descriptions of audio. Only needed if the router forwards the audio ports to the service.',
      ),
  })
  .refine(({ transport, registers }) => transport !== 'tls' || registers, {
    path: ['registers'],
    error: 'must be true if transport is tls; without a registration, use udp or tcp',
  })
  .meta({ id: 'SipAccount', description: 'The account at a SIP provider or exchange.' })

const plainFields = {
  name: nonBlankText(200).describe('The display name of the phone connection.'),
  kind: PhoneConnectionKind,
  accountId: nonBlankText(200)
    .regex(/^[A-Za-z0-9_.+-]+$/, {
      error: 'must consist of letters, digits, underscores, hyphens, dots or plus signs',
    })
    .describe(
      'The account at the provider. For SIP and Asterisk, the user name. For Twilio, the Account SID. For Telnyx, the ID of the Voice API application. For Plivo, the Auth ID. For Vonage, the application ID.',
    ),
  sip: sip
    .nullable()
    .default(null)
    .describe('The SIP account. Required if `kind` is `sip`, and `null` otherwise.'),
  baseUrl: httpUrl()
    .refine((value) => !/[?#]/.test(value), { error: 'must not contain a query or a fragment' })
    .nullable()
    .default(null)
    .describe("The base URL of the provider's API. If `null`, the default URL of the kind is used."),
  isEnabled: z
    .boolean()
    .default(true)
    .describe('Whether calls can start. If `false`, incoming calls are rejected. Active calls continue.'),
  maxCalls: z.int().min(1).max(1000).default(10).describe('The maximum number of concurrent calls.'),
  allowedPrefixes: z
    .array(numberPrefix())
    .max(300)
    .default([])
    .describe(
      'The beginnings of the numbers that can be called, or to which users can transfer calls, for example `+49`. If empty, the phone connection makes no outgoing calls.',
    ),
  maxCallsPerHour: z
    .int()
    .min(1)
    .max(100_000)
    .default(60)
    .describe('The maximum number of outgoing calls within 60 minutes.'),
  quietHours: quietHours.default(null),
  pricePerMinute: pricePerMinute.default(null),
  ...managedFields,
}

const keyBlock = /^-----BEGIN [A-Z ]{1,40}-----[A-Za-z0-9+/=\r\n]+-----END [A-Z ]{1,40}-----\s*$/
const printable = /^[\x21-\x7e]+$/

const secret = () =>
  nonBlankText(8192).refine((value) => printable.test(value) || keyBlock.test(value), {
    error: 'must contain only printable ASCII characters without spaces, or be a key in PEM format',
  })

export const phoneConnectionInputFields = {
  ...plainFields,
  secret: secret()
    .nullable()
    .optional()
    .describe(
      'The secret of the account. For SIP and Asterisk, the password. For Twilio and Plivo, the Auth Token. For Telnyx, the API key. For Vonage, the private key of the application in PEM format. Write-only. If omitted, the stored secret is kept. If `null`, it is deleted. Changing `kind`, `accountId`, `baseUrl` or `sip.host` also deletes the stored secrets.',
    ),
  webhookSecret: secret()
    .nullable()
    .optional()
    .describe(
      "The secret or key that verifies the provider's webhooks, if it is not `secret`. For Telnyx, the public key. For Vonage, the signature secret. Not used by other kinds. Write-only. If omitted, the stored value is kept. If `null`, it is deleted.",
    ),
}

const stateFields = {
  hasSecret: z.boolean().describe('Whether a secret is stored. The secret itself is never returned.'),
  hasWebhookSecret: z
    .boolean()
    .describe('Whether a webhook secret is stored. The webhook secret itself is never returned.'),
  state: z
    .enum(['off', 'unknown', 'ready', 'failed'])
    .describe(
      'Whether the provider accepts the account: `unknown` before the first request, `ready` or `failed` after the last one. For SIP, `ready` means registered. `off` if the phone connection is not enabled.',
    ),
  failure: z.string().nullable().describe('Why the last request failed. `null` if it did not fail.'),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(stateFields)]

/** The kinds whose provider signs webhooks with another secret than that of the account. */
export const webhookSecretKinds: readonly PhoneConnectionKind[] = ['telnyx', 'vonage']

/** Kinds without an API of the provider. */
const kindsWithoutUrl: readonly PhoneConnectionKind[] = ['sip', 'asterisk']

type Checked = Pick<
  z.output<z.ZodObject<typeof phoneConnectionInputFields>>,
  'kind' | 'baseUrl' | 'sip' | 'webhookSecret'
>

/** Validates rules that involve several fields. They apply to the complete phone connection, also after a patch. */
function checkFields({ kind, baseUrl, sip, webhookSecret }: Checked, context: z.RefinementCtx): void {
  const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (kind === 'sip' && sip === null) issue('sip', 'is required if kind is sip')
  if (kind !== 'sip' && sip !== null) issue('sip', 'must be null unless kind is sip')
  if (kindsWithoutUrl.includes(kind) && baseUrl !== null) issue('baseUrl', `must be null if kind is ${kind}`)
  if (!webhookSecretKinds.includes(kind) && typeof webhookSecret === 'string')
    issue('webhookSecret', `must be null unless kind is ${webhookSecretKinds.join(' or ')}`)
}

const example = {
  name: 'Front desk',
  kind: 'twilio',
  accountId: 'AC00000000000000000000000000000000',
  secret: 'example-auth-token',
  allowedPrefixes: ['+49'],
}

const sipExample = {
  name: 'Front desk',
  kind: 'sip',
  accountId: '4930123456',
  secret: 'example-password',
  sip: { host: 'sip.example.com', transport: 'tls' },
  allowedPrefixes: ['+49'],
}

export const PhoneConnectionInput = writable(phoneConnectionInputFields, readOnlyFields)
  .superRefine(checkFields)
  .meta({
    id: 'PhoneConnectionInput',
    description: 'The parameters for creating or replacing a phone connection.',
    examples: [example, sipExample],
  })

const { externalId: _, ...upsertFields } = phoneConnectionInputFields

export const PhoneConnectionUpsert = writable(upsertFields, [...readOnlyFields, 'externalId'])
  .superRefine(checkFields)
  .meta({
    id: 'PhoneConnectionUpsert',
    description:
      'The parameters for creating or replacing a phone connection by its external ID, which is part of the path.',
    examples: [example],
  })

export const PhoneConnectionPatch = patchable(phoneConnectionInputFields, readOnlyFields).meta({
  id: 'PhoneConnectionPatch',
  description: 'A merge patch for a phone connection.',
  examples: [{ maxCalls: 20 }],
})

export const PhoneConnection = z
  .object({ ...resourceFields, ...plainFields, ...stateFields })
  .meta({ id: 'PhoneConnection', description: 'An account at a telephone provider or exchange.' })

export const PhoneConnectionPage = pageOf(PhoneConnection, 'PhoneConnection')

export const PhoneConnectionListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only return phone connections whose name contains this text.'),
})

export const PhoneConnectionTest = z
  .object({
    ok: z.boolean().describe('Whether the provider responded and accepted the account.'),
    detail: z.string().describe('A description of the result, and of what to do next.'),
    providerStatus: z
      .int()
      .nullable()
      .describe('The HTTP or SIP status code of the response. `null` if the provider did not respond.'),
    durationMilliseconds: z.int().describe('The duration of the test request in milliseconds.'),
  })
  .meta({ id: 'PhoneConnectionTest', description: 'The result of testing a phone connection.' })

export type PhoneConnection = z.output<typeof PhoneConnection>
export type PhoneConnectionInput = z.output<typeof PhoneConnectionInput>
export type PhoneConnectionUpsert = z.output<typeof PhoneConnectionUpsert>
export type PhoneConnectionPatch = z.output<typeof PhoneConnectionPatch>
export type PhoneConnectionListQuery = z.output<typeof PhoneConnectionListQuery>
export type PhoneConnectionTest = z.output<typeof PhoneConnectionTest>
