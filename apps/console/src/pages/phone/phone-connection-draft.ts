import type { PhoneConnection, PhoneConnectionInput } from '@parley/sdk'
import { plainNumber, prefixError } from '../../data/telephone-number'
import { type PhoneConnectionKind, phoneConnectionKinds } from './phone-connection-kinds'

/** The form values of a phone connection. An empty string means no value. */
export interface PhoneConnectionDraft {
  readonly name: string
  readonly kind: PhoneConnectionKind
  readonly accountId: string
  readonly baseUrl: string
  /** Write-only. Empty keeps the stored secret. */
  readonly secret: string
  readonly allowedPrefixes: string[]
  readonly maxCalls: number | ''
  readonly maxCallsPerHour: number | ''
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
  kind: 'twilio',
  accountId: '',
  baseUrl: '',
  secret: '',
  allowedPrefixes: [],
  maxCalls: 10,
  maxCallsPerHour: 60,
  ...quietDefaults,
  isEnabled: true,
}

export function draftOf(connection: PhoneConnection): PhoneConnectionDraft {
  const { name, kind, accountId, baseUrl, allowedPrefixes, quietHours } = connection
  const { maxCalls, maxCallsPerHour, isEnabled } = connection
  return {
    ...{ name, kind, accountId, allowedPrefixes, maxCalls, maxCallsPerHour, isEnabled },
    baseUrl: baseUrl ?? '',
    secret: '',
    ...quietDefaults,
    ...(quietHours !== null && {
      isQuiet: true,
      quietFrom: quietHours.from,
      quietTo: quietHours.to,
      timeZone: quietHours.timeZone,
    }),
  }
}

export function inputOf(draft: PhoneConnectionDraft): PhoneConnectionInput {
  const { kind, secret, maxCalls, maxCallsPerHour, isEnabled } = draft
  const { isQuiet, quietFrom: from, quietTo: to, timeZone } = draft
  return {
    ...{ kind, isEnabled },
    name: draft.name.trim(),
    accountId: draft.accountId.trim(),
    baseUrl: draft.baseUrl.trim() || null,
    allowedPrefixes: draft.allowedPrefixes.map(plainNumber),
    quietHours: isQuiet ? { from, to, timeZone: timeZone.trim() } : null,
    ...(maxCalls !== '' && { maxCalls }),
    ...(maxCallsPerHour !== '' && { maxCallsPerHour }),
    ...(secret !== '' && { secret }),
  }
}

export function validateDraft(draft: PhoneConnectionDraft): Readonly<Record<string, string>> {
  const { name, kind, accountId, baseUrl, secret, allowedPrefixes } = draft
  const { account } = phoneConnectionKinds[kind]
  const prefixes = prefixError(allowedPrefixes)
  return {
    ...(name.trim() === '' && { name: 'Name is required' }),
    ...(!/^[A-Za-z0-9_-]+$/.test(accountId.trim()) && {
      accountId:
        accountId.trim() === ''
          ? `${account} is required`
          : 'Must consist of letters, digits, underscores or hyphens',
    }),
    ...(baseUrl.trim() !== '' &&
      !/^https?:\/\/[^\s?#]+$/.test(baseUrl.trim()) && {
        baseUrl: 'Must be an http or https URL without a query',
      }),
    ...(/[^\x21-\x7e]/.test(secret) && { secret: 'Must contain only printable characters, without spaces' }),
    ...(prefixes !== undefined && { allowedPrefixes: prefixes }),
    ...(draft.maxCalls === '' && { maxCalls: 'A number is required' }),
    ...(draft.maxCallsPerHour === '' && { maxCallsPerHour: 'A number is required' }),
    ...(draft.isQuiet && validateQuietHours(draft)),
  }
}

function validateQuietHours({ quietFrom, quietTo, timeZone }: PhoneConnectionDraft) {
  return {
    ...(quietFrom === '' && { 'quietHours.from': 'A time is required' }),
    ...(quietTo === '' && { 'quietHours.to': 'A time is required' }),
    ...(timeZone.trim() === '' && { 'quietHours.timeZone': 'Time zone is required' }),
  }
}
