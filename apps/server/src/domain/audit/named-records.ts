import type { AuditLogVerification } from '@parley/contract'
import type { CheckedRecord } from './check-record.js'

const maxNamed = 100

type Named = Pick<AuditLogVerification, 'lateCount' | 'lateSequences' | 'unsignedCount' | 'unsignedSequences'>

/** Records that verification reports although the chain is intact. */
export class NamedRecords {
  readonly #late = new RecordList()
  readonly #unsigned = new RecordList()

  pass({ place, isLate, isUnsigned }: Extract<CheckedRecord, { readonly ok: true }>): void {
    if (isLate) this.#late.add(place.sequence)
    if (isUnsigned) this.#unsigned.add(place.sequence)
  }

  get found(): Named {
    return {
      lateCount: this.#late.count,
      lateSequences: this.#late.first,
      unsignedCount: this.#unsigned.count,
      unsignedSequences: this.#unsigned.first,
    }
  }

  /** Describes the records that need attention. Returns an empty text if there are none. */
  get summary(): string {
    const late = this.#late.describe('sealed more than a minute after they were written')
    const unsigned = this.#unsigned.describe('written without a signature during an upgrade')
    return `${late}${unsigned}`
  }
}

class RecordList {
  readonly first: number[] = []
  count = 0

  add(sequence: number): void {
    this.count += 1
    if (this.first.length < maxNamed) this.first.push(sequence)
  }

  describe(what: string): string {
    if (this.count === 0) return ''
    return ` ${this.count} records were ${what}. The first is record ${this.first[0]}.`
  }
}
