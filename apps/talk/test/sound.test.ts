import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromWav, toWav } from '@parley/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnswerSound } from '#talk/answer-sound.js'
import { cutIntoChunks, loadQuestion } from '#talk/load-question.js'
import { wireRate } from '#talk/wire-sound.js'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-talk-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('sound', () => {
  it('splits audio into chunks of 20 ms', () => {
    const { chunks } = cutIntoChunks(new Int16Array(1000))
    expect(chunks.map((chunk) => chunk.length)).toEqual([960, 960, 80])
  })

  it('ends speech at the last loud sample', () => {
    const samples = new Int16Array(wireRate)
    samples[4801] = -3000
    expect(cutIntoChunks(samples).spokenChunks).toBe(11)
    expect(cutIntoChunks(new Int16Array(100)).spokenChunks).toBe(0)
  })

  it('reads a recording of any rate', async () => {
    const path = join(directory, 'question.wav')
    await writeFile(path, toWav({ samples: new Int16Array(44_100).fill(1000), rate: 44_100 }))
    const question = await loadQuestion({ kind: 'wav', path })
    expect(question).toMatchObject({ ok: true, value: { chunks: { length: 50 }, spokenChunks: 50 } })
  })

  it('explains what is wrong with a recording', async () => {
    const path = join(directory, 'words.wav')
    expect(await loadQuestion({ kind: 'wav', path })).toMatchObject({
      ok: false,
      message: expect.stringContaining('Cannot read'),
    })
    await writeFile(path, 'words')
    expect(await loadQuestion({ kind: 'wav', path })).toEqual({
      ok: false,
      message: `${path} must be a 16-bit PCM WAV file that contains audio.`,
    })
  })

  it('saves audio as it was received', async () => {
    const path = join(directory, 'answer.wav')
    const sound = new AnswerSound()
    expect(await sound.save(path)).toBe('No audio was received, so nothing was saved.')
    sound.add(Buffer.from([1, 0, 2, 0]).toString('base64'))
    sound.add(Buffer.from([3, 0]).toString('base64'))
    expect(await sound.save(path)).toBeNull()
    expect(fromWav(await readFile(path))).toEqual({ samples: Int16Array.of(1, 2, 3), rate: wireRate })
    expect(await sound.save(join(directory, 'nowhere', 'answer.wav'))).toContain('Failed to save the audio')
  })
})
