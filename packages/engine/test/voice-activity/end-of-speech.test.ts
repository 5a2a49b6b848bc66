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

/**
 * Plays a score: `#` is speech, `.` is silence, and `~` is between them. `!` judges the sentence as
 * finished.
 */
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

describe('Speech', () => {
  test('begins at the first of three frames of speech', () => {
    expect(play('..###')).toEqual(['started 2'])
    expect(play('..##.##.')).toEqual([])
  })

  test('ends at the last word, after enough silence', () => {
    expect(play('####..........')).toEqual(['started 0', 'paused 4', 'stopped 4'])
    expect(play('####.........')).toEqual(['started 0', 'paused 4'])
  })

  test('continues after a short pause', () => {
    expect(play('####.......####')).toEqual(['started 0', 'paused 4', 'resumed'])
    expect(play('####..####')).toEqual(['started 0'])
  })

  test('does not flicker between speech and silence', () => {
    expect(play('####~~~~~~~~~~~~~~')).toEqual(['started 0'])
    expect(play('####.~~~~~~~~~')).toEqual(['started 0', 'paused 4', 'stopped 4'])
  })

  test('gets more time if the sentence seems unfinished', () => {
    expect(play(`####${'.'.repeat(99)}`, semantic)).toEqual(['started 0', 'paused 4'])
    expect(play(`####${'.'.repeat(100)}`, semantic)).toEqual(['started 0', 'paused 4', 'stopped 4'])
  })

  test('ends after enough silence if the sentence seems finished', () => {
    expect(play('####......!...', semantic)).toEqual(['started 0', 'paused 4'])
    expect(play('####......!....', semantic)).toEqual(['started 0', 'paused 4', 'stopped 4'])
    expect(play('####............!', semantic)).toEqual(['started 0', 'paused 4', 'stopped 4'])
  })

  test('is judged again after it continues', () => {
    expect(play('####......!####..........', semantic)).toEqual([
      'started 0',
      'paused 4',
      'resumed',
      'paused 14',
    ])
  })

  test('ends after the maximum duration in constant noise', () => {
    expect(play('#'.repeat(2000)).slice(0, 3)).toEqual(['started 0', 'stopped 1875', 'started 1876'])
  })
})

test('the first silent frame ends speech if the required silence is zero', () => {
  const eager = { threshold: 0.5, silenceMilliseconds: 0, unfinishedSilenceMilliseconds: 0 }
  expect(play('###.', eager)).toEqual(['started 0', 'stopped 3'])
})
