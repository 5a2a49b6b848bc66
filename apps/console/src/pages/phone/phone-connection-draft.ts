import type { PhoneConnection, PhoneConnectionInput } from '@parley/sdk'
import { baseUrlError, onlyErrors, secretError } from '../../data/field-errors'
import { plainNumber, prefixError } from '../../data/telephone-number'
import { type PhoneConnectionKind, phoneConnectionKinds } from './phone-connection-kinds'
import { newSip, type SipDraft, sipDraftOf, sipOf, validateSip } from './sip-draft'

/** The form values of a phone connection. An empty string means no value. */
export interface PhoneConnectionDraft extends SipDraft {
  readonly name: string
  readonly kind: PhoneConnectionKind
  readonly accountId: string
  readonly baseUrl: string
  /** Write-only. Empty keeps the stored secret. */
  readonly secret: string
  readonly webhookSecret: string
  readonly allowedPrefixes: string[]
  readonly maxCalls: number | ''
  readonly maxCallsPerHour: number | ''
  /** In dollars per minute. */
  readonly incomingPrice: number | ''
  readonly outgoingPrice: number | ''
  readonly isQuiet: boolean
  readonly quietFrom: string
  readonly quietTo: string
  readonly timeZone: string
  readonly isEnabled: boolean
}

const quietDefaults = {
  isQuiet: false,
  quietFrom: '21:00',
  quietTo: '08:00',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
}

export const newPhoneConnection: PhoneConnectionDraft = {
  name: '',
  kind: 'sip',
  accountId: '',
  baseUrl: '',
  secret: '',
  webhookSecret: '',
  allowedPrefixes: [],
  maxCalls: 10,
  maxCallsPerHour: 60,
  incomingPrice: '',
  outgoingPrice: '',
  ...newSip,
  ...quietDefaults,
  isEnabled: true,
}

export function draftOf(connection: PhoneConnection): PhoneConnectionDraft {
  const { name, kind, accountId, baseUrl, sip, allowedPrefixes, quietHours } = connection
  const { maxCalls, maxCallsPerHour, pricePerMinute, isEnabled } = connection
  return {
    ...newPhoneConnection,
    name,
    kind,
    accountId,
    allowedPrefixes,
    maxCalls,
    maxCallsPerHour,
    isEnabled,
    baseUrl: baseUrl ?? '',
    ...(sip !== null && sipDraftOf(sip)),
    incomingPrice: pricePerMinute?.incoming ?? '',
    outgoingPrice: pricePerMinute?.outgoing ?? '',
    ...(quietHours !== null && {
      isQuiet: true,
      quietFrom: quietHours.from,
      quietTo: quietHours.to,
      timeZone: quietHours.timeZone,
    }),
  }
}

/** Returns the request body. `before` is null for a new phone connection. */
export function inputOf(draft: PhoneConnectionDraft, before: PhoneConnection | null): PhoneConnectionInput {
  const { kind, maxCalls, isEnabled } = draft
  const labels = phoneConnectionKinds[kind]
  const [secret, webhookSecret] = [draft.secret.trim(), draft.webhookSecret.trim()]
  return {
    kind,
    isEnabled,
    name: draft.name.trim(),
    accountId: draft.accountId.trim(),
    sip: kind === 'sip' ? sipOf(draft, before?.sip ?? null) : null,
    baseUrl: labels.baseUrl === undefined ? null : draft.baseUrl.trim() || null,
    ...(maxCalls !== '' && { maxCalls }),
    pricePerMinute: pricesOf(draft),
    ...(labels.isDialing && dialingOf(draft)),
    ...(secret !== '' && { secret }),
    ...(webhookSecret !== '' && labels.webhookSecret !== undefined && { webhookSecret }),
  }
}

function pricesOf({ incomingPrice, outgoingPrice }: PhoneConnectionDraft) {
  const orNull = (price: number | '') => (price === '' ? null : price)
  if (incomingPrice === '' && outgoingPrice === '') return null
  return { incoming: orNull(incomingPrice), outgoing: orNull(outgoingPrice) }
}

/** Phone connections that only receive calls keep the stored limits. */
function dialingOf(draft: PhoneConnectionDraft) {
  const { maxCallsPerHour, isQuiet, quietFrom: from, quietTo: to, timeZone } = draft
  return {
    allowedPrefixes: draft.allowedPrefixes.map(plainNumber),
    quietHours: isQuiet ? { from, to, timeZone: timeZone.trim() } : null,
    ...(maxCallsPerHour !== '' && { maxCallsPerHour }),
  }
}

/** Returns whether the service deletes the stored secrets when the draft is saved. */
export function isOtherAccount(draft: PhoneConnectionDraft, saved: PhoneConnection): boolean {
  const { kind, accountId, baseUrl, sip } = inputOf(draft, saved)
  return (
    kind !== saved.kind ||
    accountId !== saved.accountId ||
    baseUrl !== saved.baseUrl ||
    sip?.host !== saved.sip?.host
  )
}

export function validateDraft(draft: PhoneConnectionDraft): Readonly<Record<string, string>> {
  const { name, kind, baseUrl, secret, webhookSecret } = draft
  const labels = phoneConnectionKinds[kind]
  return onlyErrors({
    name: name.trim() === '' && 'Name is required',
    accountId: accountError(draft.accountId.trim(), labels.account),
    ...(kind === 'sip' && validateSip(draft)),
    baseUrl: labels.baseUrl !== undefined && baseUrlError(baseUrl),
    secret: labels.isKey ? keyError(secret) : secretError(secret.trim()),
    webhookSecret: labels.webhookSecret !== undefined && secretError(webhookSecret.trim()),
    maxCalls: draft.maxCalls === '' && 'A number is required',
    ...(labels.isDialing && validateDialing(draft)),
  })
}

function accountError(accountId: string, label: string) {
  if (accountId === '') return `${label} is required`
  if (/^[A-Za-z0-9_.+-]+$/.test(accountId)) return undefined
  return 'Must consist of letters, digits, underscores, hyphens, dots or plus signs'
}

const keyBlock = /^-----BEGIN [A-Z ]{1,40}-----[A-Za-z0-9+/=\r\n]+-----END [A-Z ]{1,40}-----$/

function keyError(secret: string) {
  if (secret.trim() === '' || keyBlock.test(secret.trim())) return undefined
  return 'Must be a key in PEM format, with its BEGIN and END lines'
}

function validateDialing(draft: PhoneConnectionDraft) {
  const { allowedPrefixes, maxCallsPerHour, isQuiet, quietFrom, quietTo, timeZone } = draft
  return {
    allowedPrefixes: prefixError(allowedPrefixes),
    maxCallsPerHour: maxCallsPerHour === '' && 'A number is required',
    'quietHours.from': isQuiet && quietFrom === '' && 'A time is required',
    'quietHours.to': isQuiet && quietTo === '' && 'A time is required',
    'quietHours.timeZone': isQuiet && timeZone.trim() === '' && 'Time zone is required',
  }
}
