import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../../support/realtime/decode-event.js'
import { effectsOf, makeTranscript, observeAll } from '../../../support/realtime/observed-transcript.js'
import { assistantEvents, userEvents } from '../../../support/realtime/transcript-events.js'

type UserEvent = keyof typeof userEvents

/** The immediate effect of an event, and the effect of the session's end. */
type Cell = readonly [now: string, atEnd: string]

const nothing: Cell = ['', '']
const lost: Cell = ['', 'silent U - cut failed']
const partly: Cell = ['', 'silent U He cut failed']
const said: Cell = ['message U Hello', '']
const typed: Cell = ['message U Typed', '']
const apart: Cell = ['message unnamed:1 Hello', '']
const noWords: Cell = ['silent U - failed', '']

const userSituations = {
  unknown: [],
  waiting: ['committed'],
  heard: ['committed', 'piece'],
  told: ['committed', 'words'],
  silence: ['committed', 'blank'],
  refused: ['committed', 'failed'],
  written: ['typed'],
  replayed: [],
} as const satisfies Record<string, readonly UserEvent[]>

// No Partial, so a new situation or event without its cells does not compile.
const userTable: Record<keyof typeof userSituations, Record<UserEvent, Cell>> = {
  unknown: {
    ...{ committed: lost, audio: lost, typed, piece: partly, words: said, blank: nothing, unnamed: apart },
    ...{ failed: noWords, failedUnnamed: nothing, truncated: nothing, answered: nothing },
  },
  waiting: {
    ...{ committed: lost, audio: lost, typed, piece: partly, words: said, blank: nothing, unnamed: said },
    ...{ failed: noWords, failedUnnamed: noWords, truncated: lost, answered: lost },
  },
  heard: {
    ...{ committed: partly, audio: partly, typed, words: said, unnamed: said },
    piece: ['', 'silent U HeHe cut failed'],
    blank: ['message U He', ''],
    failed: ['silent U He failed', ''],
    failedUnnamed: ['silent U He failed', ''],
    ...{ truncated: partly, answered: partly },
  },
  told: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: nothing, failed: nothing, failedUnnamed: nothing, answered: nothing },
    truncated: ['cut U', ''],
  },
  silence: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: apart, failed: nothing, failedUnnamed: nothing, truncated: nothing, answered: nothing },
  },
  refused: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: apart, failed: nothing, failedUnnamed: nothing, answered: nothing },
    truncated: ['cut U', ''],
  },
  written: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: apart, failed: nothing, failedUnnamed: nothing, answered: nothing },
    truncated: ['cut U', ''],
  },
  replayed: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: apart, failed: nothing, failedUnnamed: nothing, truncated: nothing, answered: nothing },
  },
}

type AssistantEvent = keyof typeof assistantEvents

const assistantSituations = {
  begun: ['created'],
  reserved: ['created', 'added'],
  heard: ['created', 'added', 'piece'],
  answered: ['created', 'added', 'piece', 'words'],
  answeredUnnamed: ['created', 'unnamed'],
  cutOff: ['created', 'added', 'piece', 'cut'],
  truncated: ['created', 'added', 'truncated'],
} as const satisfies Record<string, readonly AssistantEvent[]>

const hearing: Cell = ['', 'response A Hel cut']
const answer: Cell = ['response A Hello', '']
const pieces: Cell = ['response A Hel', '']
const cutPieces: Cell = ['response A Hel cut', '']
const cutLater: Cell = ['cut A', '']
const unnamedCut: Cell = ['', 'response unnamed:1 Hel cut']

const assistantTable: Record<keyof typeof assistantSituations, Record<AssistantEvent, Cell>> = {
  begun: {
    ...{ created: nothing, added: nothing, piece: hearing, unnamedPiece: unnamedCut, words: answer },
    ...{ noWords: nothing, unnamed: ['response unnamed:1 Hello', ''], done: nothing, cut: nothing },
    ...{ cutBriefly: nothing, cutAfter: nothing, next: nothing, truncated: nothing },
  },
  reserved: {
    ...{ created: nothing, added: nothing, piece: hearing, unnamedPiece: hearing, words: answer },
    ...{ noWords: nothing, unnamed: answer, done: nothing, cut: nothing },
    ...{ cutBriefly: nothing, cutAfter: nothing, next: nothing, truncated: nothing },
  },
  heard: {
    ...{ created: hearing, added: hearing, words: answer, noWords: pieces, unnamed: answer, done: pieces },
    piece: ['', 'response A HelHel cut'],
    unnamedPiece: ['', 'response A HelHel cut'],
    ...{ cut: cutPieces, cutBriefly: cutPieces, cutAfter: cutPieces, next: hearing, truncated: hearing },
  },
  answered: {
    ...{ created: nothing, added: nothing, piece: nothing, unnamedPiece: unnamedCut, words: nothing },
    ...{ noWords: nothing, unnamed: nothing, done: nothing, cut: cutLater },
    ...{ cutBriefly: cutLater, cutAfter: nothing, next: nothing, truncated: cutLater },
  },
  answeredUnnamed: {
    ...{ created: nothing, added: nothing, piece: hearing, words: nothing, noWords: nothing },
    ...{
      unnamedPiece: ['', 'response unnamed:2 Hel cut'],
      unnamed: ['response unnamed:2 Hello', ''],
      done: nothing,
    },
    ...{ cut: ['cut unnamed:1', ''], cutBriefly: ['cut unnamed:1', ''], cutAfter: ['cut unnamed:1', ''] },
    ...{ next: nothing, truncated: nothing },
  },
  cutOff: {
    ...{ created: nothing, added: nothing, piece: nothing, unnamedPiece: unnamedCut, words: nothing },
    ...{ noWords: nothing, unnamed: ['response unnamed:1 Hello', ''], done: nothing, cut: nothing },
    ...{ cutBriefly: nothing, cutAfter: nothing, next: nothing, truncated: nothing },
  },
  truncated: {
    ...{ created: nothing, added: nothing, piece: hearing, unnamedPiece: hearing, noWords: nothing },
    ...{ words: ['response A Hello cut', ''], unnamed: ['response A Hello cut', ''], done: nothing },
    ...{ cut: nothing, cutBriefly: nothing, cutAfter: nothing, next: nothing, truncated: nothing },
  },
}

interface Case {
  readonly situation: string
  readonly event: string
  readonly before: readonly WireEvent[]
  readonly now: WireEvent
  readonly cell: Cell
}

function casesOf<Situation extends string, Event extends string>(
  table: Record<Situation, Record<Event, Cell>>,
  situations: Record<Situation, readonly Event[]>,
  events: Record<Event, WireEvent>,
): Case[] {
  const rows = Object.entries(table) as [Situation, Record<Event, Cell>][]
  return rows.flatMap(([situation, row]) =>
    (Object.entries(row) as [Event, Cell][]).map(([event, cell]) => ({
      ...{ situation, event, cell, now: events[event] },
      before: situations[situation].map((name) => events[name]),
    })),
  )
}

describe('every event in every situation [RT-18]', () => {
  const run = ({ situation, before, now, cell }: Case) => {
    const transcript = makeTranscript(situation === 'replayed' ? ['U'] : [])
    observeAll(transcript, before)
    expect([observeAll(transcript, [now]), effectsOf(transcript.end())]).toEqual(cell)
    expect(transcript.end()).toEqual([])
  }
  test.each(casesOf(userTable, userSituations, userEvents))(
    'produces the expected effects for a user turn: $situation, $event',
    run,
  )
  test.each(casesOf(assistantTable, assistantSituations, assistantEvents))(
    'produces the expected effects for an answer: $situation, $event',
    run,
  )
})
