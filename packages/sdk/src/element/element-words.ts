import type { VoiceEndReason } from '../realtime/voice-end.js'

/** All texts of the element. */
export interface ElementWords {
  readonly talk: string
  readonly stop: string
  readonly mute: string
  readonly unmute: string
  readonly type: string
  readonly send: string
  readonly close: string
  readonly allow: string
  readonly refuse: string
  readonly mayRun: (title: string) => string
  /** Unfolds the arguments of a call that needs approval. */
  readonly details: string
  /** Shown instead of the buttons if staff decide. */
  readonly awaitsStaff: string
  readonly interrupted: string
  /** Shown until the next answer if another model has taken over. */
  readonly providerChanged: string
  readonly user: string
  readonly assistant: string
  readonly conversation: string
  readonly phases: Readonly<
    Record<'connecting' | 'listening' | 'thinking' | 'speaking' | 'reconnecting' | 'ended', string>
  >
  /** An end reason without a text here shows its own message. */
  readonly ends: Readonly<Partial<Record<VoiceEndReason, string>>>
}

const english: ElementWords = {
  talk: 'Talk',
  stop: 'End',
  mute: 'Mute',
  unmute: 'Unmute',
  type: 'Type a message',
  send: 'Send',
  close: 'Close',
  allow: 'Approve',
  refuse: 'Reject',
  mayRun: (title) => `Approve “${title}”?`,
  details: 'Details',
  awaitsStaff: 'Waiting for approval',
  interrupted: 'interrupted',
  providerChanged: 'The connection was renewed. The conversation continues.',
  user: 'You',
  assistant: 'Agent',
  conversation: 'Conversation',
  phases: {
    connecting: 'Connecting…',
    listening: 'Listening',
    thinking: 'Thinking…',
    speaking: 'Speaking',
    reconnecting: 'Reconnecting…',
    ended: 'Ended',
  },
  ends: {},
}

const german: ElementWords = {
  talk: 'Sprechen',
  stop: 'Beenden',
  mute: 'Stumm',
  unmute: 'Ton an',
  type: 'Nachricht schreiben',
  send: 'Senden',
  close: 'Schließen',
  allow: 'Erlauben',
  refuse: 'Ablehnen',
  mayRun: (title) => `Darf „${title}“ ausgeführt werden?`,
  details: 'Einzelheiten',
  awaitsStaff: 'Wartet auf die Freigabe durch unser Team',
  interrupted: 'unterbrochen',
  providerChanged: 'Die Verbindung wurde erneuert. Das Gespräch geht weiter.',
  user: 'Sie',
  assistant: 'Agent',
  conversation: 'Gespräch',
  phases: {
    connecting: 'Verbinde…',
    listening: 'Hört zu',
    thinking: 'Denkt nach…',
    speaking: 'Spricht',
    reconnecting: 'Verbinde erneut…',
    ended: 'Beendet',
  },
  ends: {
    client_left: 'Sie haben das Gespräch beendet.',
    connection_lost: 'Die Verbindung ist abgerissen.',
    message_too_big: 'Eine Nachricht war zu groß.',
    internal: 'Der Dienst hat eine Störung.',
    draining: 'Der Dienst wird gerade aktualisiert.',
    max_duration: 'Die längste Gesprächszeit ist erreicht.',
    idle_timeout: 'Es wurde eine Weile nichts gesagt.',
    provider_unavailable: 'Das Sprachmodell ist nicht erreichbar.',
    provider_closed: 'Das Sprachmodell hat die Verbindung beendet.',
    slow_consumer: 'Das Netz ist zu langsam für den Ton.',
    terminated: 'Das Gespräch wurde vom Betreiber beendet.',
    budget_exceeded: 'Das Budget dafür ist aufgebraucht.',
    ticket_failed: 'Das Gespräch konnte nicht gestartet werden.',
    refused: 'Das Gespräch wurde nicht angenommen.',
    microphone_unavailable: 'Das Mikrofon ist nicht verfügbar oder nicht erlaubt.',
    audio_unavailable: 'Auf dieser Seite ist kein Ton möglich.',
  },
}

const languages: Readonly<Record<string, ElementWords>> = { en: english, de: german }

/** Returns the texts of a language, in English if it is unknown. */
export function wordsOf(language: string): ElementWords {
  return languages[language.slice(0, 2).toLowerCase()] ?? english
}
