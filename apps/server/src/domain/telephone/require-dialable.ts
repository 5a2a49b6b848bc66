import { webhookSecretKinds } from '@parley/contract'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import { DomainError } from '../domain-error.js'

type Dialable = Pick<
  PhoneConnectionRecord,
  'name' | 'kind' | 'isEnabled' | 'sealedSecret' | 'sealedWebhookSecret'
>

/** Throws if the phone connection makes no calls at all. */
export function requireDialable(connection: Dialable): void {
  const { name, kind, isEnabled, sealedSecret, sealedWebhookSecret } = connection
  const refuse = (detail: string) => new DomainError('Conflict', detail)
  if (kind === 'asterisk')
    throw refuse('Phone connections of kind asterisk only receive calls. Use kind sip to make calls.')
  if (!isEnabled) throw refuse(`The phone connection ${name} is not enabled.`)
  if (sealedSecret === null) throw refuse(`The phone connection ${name} has no secret.`)
  if (sealedWebhookSecret === null && webhookSecretKinds.includes(kind))
    throw refuse(`The phone connection ${name} has no webhook secret.`)
}
