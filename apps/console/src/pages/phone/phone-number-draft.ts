import type { PhoneNumber, PhoneNumberInput } from '@parley/sdk'
import { onlyErrors } from '../../data/field-errors'
import { isNumber, numberAdvice, plainNumber, prefixError } from '../../data/telephone-number'

type TurnDetection = PhoneNumber['turnDetection']
type Eagerness = Extract<TurnDetection, { type: 'semantic_vad' }>['eagerness']
export type TransferTarget = PhoneNumber['transferTargets'][number]

/** The form values of a phone number. An empty string means no value. */
export interface PhoneNumberDraft {
  readonly name: string
  readonly number: string
  readonly phoneConnectionId: string | null
  readonly agentId: string | null
  readonly greeting: string
  /** A BCP 47 tag. */
  readonly language: string
  readonly detection: TurnDetection['type']
  readonly eagerness: Eagerness
  readonly silenceMilliseconds: number | ''
  readonly allowedCallers: string[]
  readonly blockedCallers: string[]
  readonly transferTargets: readonly TransferTarget[]
  readonly isEnabled: boolean
}

export const newPhoneNumber: PhoneNumberDraft = {
  name: '',
  number: '',
  phoneConnectionId: null,
  agentId: null,
  greeting: '',
  language: '',
  detection: 'semantic_vad',
  eagerness: 'high',
  silenceMilliseconds: 500,
  allowedCallers: [],
  blockedCallers: [],
  transferTargets: [],
  isEnabled: true,
}

export function draftOf({ turnDetection, greeting, language, ...number }: PhoneNumber): PhoneNumberDraft {
  const { name, number: dialed, phoneConnectionId, agentId } = number
  const { allowedCallers, blockedCallers, transferTargets, isEnabled } = number
  return {
    ...newPhoneNumber,
    name,
    phoneConnectionId,
    agentId,
    allowedCallers,
    blockedCallers,
    transferTargets,
    isEnabled,
    number: dialed,
    greeting: greeting ?? '',
    language: language ?? '',
    detection: turnDetection.type,
    ...(turnDetection.type === 'semantic_vad'
      ? { eagerness: turnDetection.eagerness }
      : { silenceMilliseconds: turnDetection.silenceMilliseconds }),
  }
}

export function inputOf(draft: PhoneNumberDraft): PhoneNumberInput {
  const { phoneConnectionId, agentId, detection, eagerness, silenceMilliseconds, isEnabled } = draft
  return {
    phoneConnectionId,
    agentId,
    isEnabled,
    name: draft.name.trim(),
    number: plainNumber(draft.number),
    greeting: draft.greeting.trim() || null,
    language: draft.language.trim() || null,
    turnDetection:
      detection === 'semantic_vad'
        ? { type: detection, eagerness }
        : { type: detection, silenceMilliseconds: silenceMilliseconds || undefined },
    allowedCallers: draft.allowedCallers.map(plainNumber),
    blockedCallers: draft.blockedCallers.map(plainNumber),
    transferTargets: draft.transferTargets.map(({ name, number }) => ({
      name: name.trim(),
      number: plainNumber(number),
    })),
  }
}

const isLanguageTag = (text: string) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text)

const languageAdvice = 'Must be a language tag, such as en or en-GB'

export function validateDraft(draft: PhoneNumberDraft): Readonly<Record<string, string>> {
  const { name, number, language, allowedCallers, blockedCallers, transferTargets } = draft
  return onlyErrors({
    name: name.trim() === '' && 'Name is required',
    number: !isNumber(number) && numberAdvice,
    language: language.trim() !== '' && !isLanguageTag(language.trim()) && languageAdvice,
    silenceMilliseconds:
      draft.detection === 'server_vad' && draft.silenceMilliseconds === '' && 'A number is required',
    allowedCallers: prefixError(allowedCallers),
    blockedCallers: prefixError(blockedCallers),
    ...Object.fromEntries(transferTargets.flatMap(targetErrors)),
  })
}

function targetErrors({ name, number }: TransferTarget, index: number): [string, string][] {
  const path = `transferTargets[${index}]`
  return [
    ...(name.trim() === '' ? [[`${path}.name`, 'Name is required'] as [string, string]] : []),
    ...(isNumber(number) ? [] : [[`${path}.number`, numberAdvice] as [string, string]]),
  ]
}
