import { sql } from 'drizzle-orm'
import type { FoundPassage } from '../../ports/conversation-stores.js'
import { temporaryFilePassage } from './file-schema.js'
import type { Handle } from './handle.js'

/**
 * The maximum number of characters that are searched for. It is longer than a typed question. Pasted text
 * makes the search slower, not better.
 */
const maxQuestionLength = 4000

/** The number of candidates per requested passage. */
const candidatesPerPassage = 8

/*
 * PostgreSQL extracts the question's words: stemmed, without stop words, and without query syntax that could
 * be invalid. Each word is searched separately, because a passage with half of the words is a good result. A
 * word has more weight if fewer passages contain it (the weight of BM25), and repetition within a passage
 * adds little (the effect of ts_rank). Ranking reads the words of a passage, which is slow for thousands of
 * passages. The passages with the weightiest words are therefore selected first.
 */
export async function searchPassages(
  handle: Handle,
  fileIds: readonly string[],
  question: string,
  limit: number,
): Promise<readonly FoundPassage[]> {
  if (fileIds.length === 0) return []
  const passage = temporaryFilePassage
  const files = sql`array[${sql.join(
    fileIds.map((id) => sql`${id}::uuid`),
    sql`, `,
  )}]`
  const { rows } = await handle.execute<{ [Field in keyof FoundPassage]: FoundPassage[Field] }>(sql`
    with word as materialized (
      select lexeme, quoted::tsquery as query
      from unnest(to_tsvector('english', ${question.slice(0, maxQuestionLength)})) as given,
        lateral (select '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' as quoted) as escaped
    ),
    hit as materialized (
      select ${passage.fileId} as file_id, ${passage.position} as position, word.lexeme
      from ${passage} join word on ${passage.words} @@ word.query
      where ${passage.fileId} = any(${files})
    ),
    weight as materialized (
      select hit.lexeme, ln(1 + (total.passages - count(*) + 0.5) / (count(*) + 0.5)) as rarity
      from hit cross join (
        select count(*) as passages from ${passage} where ${passage.fileId} = any(${files})
      ) as total
      group by hit.lexeme, total.passages
    ),
    candidate as materialized (
      select hit.file_id, hit.position
      from hit join weight on weight.lexeme = hit.lexeme
      group by hit.file_id, hit.position
      order by sum(weight.rarity) desc, hit.file_id, hit.position
      limit ${limit * candidatesPerPassage}
    ),
    best as (
      select candidate.file_id, candidate.position, sum(ts_rank(${passage.words}, word.query) * weight.rarity) as score
      from candidate
        join ${passage} on ${passage.fileId} = candidate.file_id and ${passage.position} = candidate.position
        cross join word join weight on weight.lexeme = word.lexeme
      group by candidate.file_id, candidate.position
      order by score desc, candidate.file_id, candidate.position
      limit ${limit}
    )
    select best.file_id as "fileId", best.position, ${passage.label} as label, ${passage.content} as content
    from best join ${passage} on ${passage.fileId} = best.file_id and ${passage.position} = best.position
    order by best.score desc, best.file_id, best.position`)
  return rows
}
