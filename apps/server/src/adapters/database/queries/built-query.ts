import { DrizzleQueryError, type Query } from 'drizzle-orm'
import { PgPreparedQuery, type PreparedQueryConfig, type SelectedFieldsOrdered } from 'drizzle-orm/pg-core'
import { type QueryClient, type QueryText, valueTypes } from './query-client.js'
import { type FillValues, makeFillValues, type Values } from './query-values.js'
import { type JoinedTables, makeRowReader, type RowReader } from './row-reader.js'

export interface BuiltQueryOptions {
  readonly client: QueryClient
  readonly query: Query
  /** What is selected; undefined where the driver's own result is wanted. */
  readonly fields: SelectedFieldsOrdered | undefined
  /** Under which a connection of the database keeps the statement, parsed; none where it is not worth it. */
  readonly name: string | undefined
}

/** A statement as drizzle has put it together, its text made and its rows understood. */
export class BuiltQuery<Config extends PreparedQueryConfig> extends PgPreparedQuery<Config> {
  readonly #client: QueryClient
  readonly #text: QueryText
  readonly #params: unknown[]
  readonly #fields: SelectedFieldsOrdered | undefined
  #fill: FillValues | undefined
  #readRow: RowReader | undefined
  /** Drizzle puts it here, behind the constructor. */
  joinsNotNullableMap: JoinedTables | undefined

  constructor({ client, query, fields, name }: BuiltQueryOptions) {
    super(query, undefined, undefined)
    this.#client = client
    this.#params = query.params
    this.#fields = fields
    this.#text = inherited({
      text: query.sql,
      types: valueTypes,
      ...(name !== undefined && name !== '' && { name }),
      ...(fields && { rowMode: 'array' as const }),
    })
  }

  override execute(values?: Record<string, unknown>): Promise<Config['execute']> {
    return this.executeOn(this.#client, values)
  }

  /** The same on another client than it was built for. */
  async executeOn(client: QueryClient, values: Values = {}): Promise<Config['execute']> {
    this.#fill ??= makeFillValues(this.#params)
    const filled = this.#fill(values)
    try {
      const result = await client.query(this.#text, filled)
      return this.#fields === undefined ? result : this.#read(this.#fields, result.rows)
    } catch (error) {
      throw new DrizzleQueryError(this.#text.text, filled, error instanceof Error ? error : undefined)
    }
  }

  #read(fields: SelectedFieldsOrdered, rows: readonly (readonly unknown[])[]): Record<string, unknown>[] {
    this.#readRow ??= makeRowReader(fields, this.joinsNotNullableMap)
    const readRow = this.#readRow
    return rows.map((row) => readRow(row))
  }
}

/** The driver copies all that an object has of its own, by its descriptors, at every execution; and nothing else. */
function inherited(text: QueryText): QueryText {
  return Object.create(text)
}
