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
  it('is cut into chunks of 20 ms', () => {
    const { chunks } = cutIntoChunks(new Int16Array(1000))
    expect(chunks.map((chunk) => chunk.length)).toEqual([960, 960, 80])
  })

  it('ends as speech where it was last loud', () => {
    const samples = new Int16Array(wireRate)
    samples[4801] = -3000
    expect(cutIntoChunks(samples).spokenChunks).toBe(11)
    expect(cutIntoChunks(new Int16Array(100)).spokenChunks).toBe(0)
  })

  it('is read from a recording of any rate', async () => {
    const path = join(directory, 'question.wav')
    await writeFile(path, toWav({ samples: new Int16Array(44_100).fill(1000), rate: 44_100 }))
    const question = await loadQuestion({ kind: 'wav', path })
    expect(question).toMatchObject({ ok: true, value: { chunks: { length: 50 }, spokenChunks: 50 } })
  })

  it('says what is wrong with a recording', async () => {
    const path = join(directory, 'words.wav')
    expect(await loadQuestion({ kind: 'wav', path })).toMatchObject({
      ok: false,
      message: expect.stringContaining('cannot be read'),
    })
    await writeFile(path, 'words')
    expect(await loadQuestion({ kind: 'wav', path })).toEqual({
      ok: false,
      message: `${path} is not a WAV file of 16 bit PCM with sound in it.`,
    })
  })

  it('is saved as it was heard', async () => {
    const path = join(directory, 'answer.wav')
    const sound = new AnswerSound()
    expect(await sound.save(path)).toBe('There was no sound to save.')
    sound.add(Buffer.from([1, 0, 2, 0]).toString('base64'))
    sound.add(Buffer.from([3, 0]).toString('base64'))
    expect(await sound.save(path)).toBeNull()
    expect(fromWav(await readFile(path))).toEqual({ samples: Int16Array.of(1, 2, 3), rate: wireRate })
    expect(await sound.save(join(directory, 'nowhere', 'answer.wav'))).toContain('was not saved')
  })
})
