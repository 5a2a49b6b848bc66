/** Everything that the element says itself. */
export interface ElementWords {
  readonly talk: string
  readonly stop: string
  readonly mute: string
  readonly unmute: string
  readonly type: string
  readonly send: string
  readonly allow: string
  readonly refuse: string
  readonly mayRun: (title: string) => string
  readonly interrupted: string
  readonly user: string
  readonly assistant: string
  readonly phases: Readonly<
    Record<'connecting' | 'listening' | 'thinking' | 'speaking' | 'reconnecting' | 'ended', string>
  >
}

const english: ElementWords = {
  talk: 'Talk',
  stop: 'End',
  mute: 'Mute',
  unmute: 'Unmute',
  type: 'Type a message',
  send: 'Send',
  allow: 'Allow',
  refuse: 'Refuse',
  mayRun: (title) => `May “${title}” run?`,
  interrupted: 'interrupted',
  user: 'You',
  assistant: 'Agent',
  phases: {
    connecting: 'Connecting…',
    listening: 'Listening',
    thinking: 'Thinking…',
    speaking: 'Speaking',
    reconnecting: 'Connecting again…',
    ended: 'Ended',
  },
}

const german: ElementWords = {
  talk: 'Sprechen',
  stop: 'Beenden',
  mute: 'Stumm',
  unmute: 'Ton an',
  type: 'Nachricht schreiben',
  send: 'Senden',
  allow: 'Erlauben',
  refuse: 'Ablehnen',
  mayRun: (title) => `Darf „${title}“ ausgeführt werden?`,
  interrupted: 'unterbrochen',
  user: 'Sie',
  assistant: 'Agent',
  phases: {
    connecting: 'Verbinde…',
    listening: 'Hört zu',
    thinking: 'Denkt nach…',
    speaking: 'Spricht',
    reconnecting: 'Verbinde erneut…',
    ended: 'Beendet',
  },
}

const languages: Readonly<Record<string, ElementWords>> = { en: english, de: german }

/** The words of a language, English where there are none. */
export function wordsOf(language: string): ElementWords {
  return languages[language.slice(0, 2).toLowerCase()] ?? english
}
