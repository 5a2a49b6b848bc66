import { describe, expect, test } from 'vitest'
import {
  type EndOfSpeechRules,
  frameMilliseconds,
  judgeFinished,
  quiet,
  type SpeechEvent,
  type SpeechState,
  stepSpeech,
} from '#engine/voice-activity/end-of-speech.js'

const rules: EndOfSpeechRules = {
  threshold: 0.5,
  silenceMilliseconds: 320,
  unfinishedSilenceMilliseconds: 320,
}
const semantic: EndOfSpeechRules = {
  threshold: 0.5,
  silenceMilliseconds: 320,
  unfinishedSilenceMilliseconds: 3200,
}

/** Plays a text: `#` is speech, `.` is silence, `~` lies between them. `!` is the word that it sounds finished. */
function play(score: string, used: EndOfSpeechRules = rules): string[] {
  const levels: Readonly<Record<string, number>> = { '#': 0.9, '.': 0.1, '~': 0.4 }
  const events: string[] = []
  let state: SpeechState = quiet
  let frame = 0
  for (const mark of score) {
    const isJudged = mark === '!'
    const step = isJudged
      ? judgeFinished(state, frame - 1, used)
      : stepSpeech(state, levels[mark] ?? 0, frame, used)
    state = step.state
    if (!isJudged) frame += 1
    if (step.event !== null) events.push(describeEvent(step.event))
  }
  return events
}

function describeEvent(event: SpeechEvent): string {
  return event.type === 'resumed' ? event.type : `${event.type} ${event.atMilliseconds / frameMilliseconds}`
}

describe('speech', () => {
  test('begins with the first of three frames of speech', () => {
    expect(play('..###')).toEqual(['started 2'])
    expect(play('..##.##.')).toEqual([])
  })

  test('ends after the silence, at its last word', () => {
    expect(play('####..........')).toEqual(['started 0', 'paused 4', 'stopped 4'])
    expect(play('####.........')).toEqual(['started 0', 'paused 4'])
  })

  test('goes on after a short pause', () => {
    expect(play('####.......####')).toEqual(['started 0', 'paused 4', 'resumed'])
    expect(play('####..####')).toEqual(['started 0'])
  })

  test('does not flicker between speech and silence', () => {
    expect(play('####~~~~~~~~~~~~~~')).toEqual(['started 0'])
    expect(play('####.~~~~~~~~~')).toEqual(['started 0', 'paused 4', 'stopped 4'])
  })

  test('that does not sound finished gets more time', () => {
    expect(play(`####${'.'.repeat(99)}`, semantic)).toEqual(['started 0', 'paused 4'])
    expect(play(`####${'.'.repeat(100)}`, semantic)).toEqual(['started 0', 'paused 4', 'stopped 4'])
  })

  test('that sounds finished ends once it was silent long enough, or at once', () => {
    expect(play('####......!...', semantic)).toEqual(['started 0', 'paused 4'])
    expect(play('####......!....', semantic)).toEqual(['started 0', 'paused 4', 'stopped 4'])
    expect(play('####............!', semantic)).toEqual(['started 0', 'paused 4', 'stopped 4'])
  })

  test('that went on is judged anew', () => {
    expect(play('####......!####..........', semantic)).toEqual([
      'started 0',
      'paused 4',
      'resumed',
      'paused 14',
    ])
  })

  test('has an end, whatever the noise', () => {
    expect(play('#'.repeat(2000)).slice(0, 3)).toEqual(['started 0', 'stopped 1875', 'started 1876'])
  })
})

test('silence of no length at all ends speech with its first silent frame', () => {
  const eager = { threshold: 0.5, silenceMilliseconds: 0, unfinishedSilenceMilliseconds: 0 }
  expect(play('###.', eager)).toEqual(['started 0', 'stopped 3'])
})
