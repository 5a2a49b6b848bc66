import { Table } from '@mantine/core'
import type { RealtimeSession } from '@parley/sdk'
import styles from './sessions.module.css'

type Usage = RealtimeSession['usage']

const shown: readonly { readonly name: string; readonly of: (usage: Usage) => readonly (number | null)[] }[] =
  [
    { name: 'Text', of: (u) => [u.inputTextTokens, u.cachedTextTokens, u.outputTextTokens] },
    { name: 'Audio', of: (u) => [u.inputAudioTokens, u.cachedAudioTokens, u.outputAudioTokens] },
    { name: 'Images', of: (u) => [u.inputImageTokens, null, null] },
    { name: 'Total', of: (u) => [u.inputTokens, u.cachedTokens, u.outputTokens] },
  ]

const columns = ['Input', 'Cached', 'Output'] as const

/** Usage as counted by the provider, by modality. */
export function UsageTable({ usage }: { readonly usage: Usage }) {
  return (
    <div className={styles.card}>
      <Table maw="36rem" aria-label="Tokens by modality" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Tokens</Table.Th>
            {columns.map((title) => (
              <Table.Th key={title} ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ name, of }) => (
            <Table.Tr key={name} fw={name === 'Total' ? 600 : undefined}>
              <Table.Th scope="row" fw="inherit">
                {name}
              </Table.Th>
              {columns.map((title, index) => (
                <Table.Td key={title} ta="right">
                  {of(usage)[index]?.toLocaleString()}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
