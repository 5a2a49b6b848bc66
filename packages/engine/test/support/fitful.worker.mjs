import { serveJobs } from '#engine/workers/serve-jobs.js'

/** A sentence model whose failures depend on the text. */
const asked = new Map()
serveJobs(
  async () => (texts) =>
    texts.map((text) => {
      const times = (asked.get(text) ?? 0) + 1
      asked.set(text, times)
      if (text === 'throws once' && times === 1) throw new Error('not now')
      if (text === 'throws') throw new Error('never')
      if (text === 'no numbers once' && times === 1) return [Number.NaN, 1]
      return [times, 1]
    }),
)
