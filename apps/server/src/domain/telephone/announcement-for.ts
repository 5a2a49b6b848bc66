import type { EndReason } from '@parley/contract'
import type { Announcement } from '../../ports/announcements.js'

/** Why the service speaks to the other party of a call. */
export type AnnouncementCause = 'unavailable' | 'lost' | 'limit' | 'ended'

type Texts = Readonly<Record<AnnouncementCause, string>>

const english: Texts = {
  unavailable: 'We are sorry. This number cannot take calls at the moment. Please try again later.',
  lost: 'We are sorry, the connection to our assistant was lost. Please call again later.',
  limit: 'We are sorry. This call has reached its limit and ends now. Goodbye.',
  ended: 'This call ends now. Goodbye.',
}

/** Carriers can speak all of these languages, and the built-in voice speaks English. */
const texts: Readonly<Record<string, Texts>> = {
  en: english,
  de: {
    unavailable:
      'Es tut uns leid. Diese Nummer kann im Moment keine Anrufe annehmen. Bitte versuchen Sie es später erneut.',
    lost: 'Es tut uns leid, die Verbindung zu unserem Assistenten wurde unterbrochen. Bitte rufen Sie später wieder an.',
    limit: 'Es tut uns leid. Dieser Anruf hat seine Grenze erreicht und endet jetzt. Auf Wiederhören.',
    ended: 'Dieser Anruf endet jetzt. Auf Wiederhören.',
  },
  fr: {
    unavailable:
      'Nous sommes désolés. Ce numéro ne peut pas prendre d’appels pour le moment. Veuillez réessayer plus tard.',
    lost: 'Nous sommes désolés, la connexion avec notre assistant a été interrompue. Veuillez rappeler plus tard.',
    limit: 'Nous sommes désolés. Cet appel a atteint sa limite et se termine maintenant. Au revoir.',
    ended: 'Cet appel se termine maintenant. Au revoir.',
  },
  es: {
    unavailable:
      'Lo sentimos. Este número no puede atender llamadas en este momento. Inténtelo de nuevo más tarde.',
    lost: 'Lo sentimos, se ha perdido la conexión con nuestro asistente. Vuelva a llamar más tarde.',
    limit: 'Lo sentimos. Esta llamada ha alcanzado su límite y termina ahora. Adiós.',
    ended: 'Esta llamada termina ahora. Adiós.',
  },
}

const defaultLanguage = 'en-US'

/** Returns the sentence in the language of the number. Falls back to English. */
export function announcementFor(cause: AnnouncementCause, language: string | null | undefined): Announcement {
  const known = language && texts[language.split('-')[0]?.toLowerCase() ?? '']
  return known ? { text: known[cause], language } : { text: english[cause], language: defaultLanguage }
}

/** Returns what the other party hears when a session ends during the call. */
export function causeOf(reason: EndReason): AnnouncementCause {
  switch (reason) {
    case 'budget_exceeded':
    case 'max_duration':
      return 'limit'
    case 'terminated':
    case 'idle_timeout':
    case 'draining':
      return 'ended'
    default:
      return 'lost'
  }
}
