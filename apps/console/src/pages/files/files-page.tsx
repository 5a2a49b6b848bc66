import { ActionIcon, Button, FileButton, Group, Progress, Text } from '@mantine/core'
import type { TemporaryFile } from '@parley/sdk'
import { IconDownload, IconFiles, IconTrash, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { Confirm } from '../../parts/confirm'
import { EmptyState } from '../../parts/empty-state'
import { Filters } from '../../parts/filters'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { saveFile } from '../../parts/save-file'
import { SearchField } from '../../parts/search-field'
import { Timestamp } from '../../parts/timestamp'

export function FilesPage() {
  const { parley, may } = useConsole()
  const [filter, setFilter] = useFilter(['Search'])
  const rows = useRows<TemporaryFile>({
    resource: 'TemporaryFile',
    filter,
    read: (range) => parley.temporaryFiles.list({ ...filter, ...range }),
  })
  return (
    <PageFrame
      title="Files"
      about="Attached to questions as context, and deleted automatically."
      actions={may('file:write') && <UploadButton />}
      isFilling
    >
      <Filters>
        <SearchField
          label="Search files"
          value={filter.Search ?? ''}
          onSearch={(Search) => setFilter({ Search })}
        />
      </Filters>
      <RowList
        label="Files"
        rows={rows}
        columns={columns}
        empty={
          filter.Search === undefined ? (
            <EmptyState icon={IconFiles} title="No files yet" action={may('file:write') && <UploadButton />}>
              Upload a file here, or drop one into the playground.
            </EmptyState>
          ) : (
            <EmptyState icon={IconFiles} title="No matching files">
              Change or clear the search.
            </EmptyState>
          )
        }
      />
    </PageFrame>
  )
}

function UploadButton() {
  const { parley } = useConsole()
  const [share, setShare] = useState<number | null>(null)
  const upload = useChange({
    change: async (file: File) =>
      parley.temporaryFiles.create(file, {
        onProgress: ({ sentBytes, totalBytes }) =>
          setShare(totalBytes === null ? null : sentBytes / totalBytes),
      }),
    changes: ['TemporaryFile'],
    done: 'File uploaded.',
  })
  return (
    <Group gap="xs">
      {upload.isPending && (
        <Progress w={120} value={(share ?? 1) * 100} animated={share === null} aria-label="Upload" />
      )}
      <FileButton onChange={(file) => file !== null && upload.mutate(file)}>
        {(props) => (
          <Button {...props} leftSection={<IconUpload size={16} />} loading={upload.isPending}>
            Upload
          </Button>
        )}
      </FileButton>
    </Group>
  )
}

const sizeFormat = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'kilobyte',
  maximumFractionDigits: 0,
})

const columns: readonly Column<TemporaryFile>[] = [
  { title: 'Name', width: '2fr', isMain: true, cell: ({ name }) => name },
  {
    title: 'Type',
    width: '1fr',
    isMinor: true,
    cell: ({ contentType }) => (
      <Text size="xs" ff="monospace" truncate>
        {contentType}
      </Text>
    ),
  },
  {
    title: 'Size',
    width: '6rem',
    isMinor: true,
    cell: ({ sizeBytes }) => (sizeBytes < 1000 ? `${sizeBytes} bytes` : sizeFormat.format(sizeBytes / 1000)),
  },
  { title: 'Uploaded', width: '8rem', isMinor: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { title: 'Expires', width: '8rem', cell: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
  { title: 'Actions', width: '5.5rem', cell: (file) => <FileActions file={file} /> },
]

function FileActions({ file: { id, name } }: { readonly file: TemporaryFile }) {
  const { parley, may } = useConsole()
  const download = useChange({
    change: async () => saveFile(name, await (await parley.temporaryFiles.getContent(id)).blob()),
    changes: [],
  })
  const remove = useChange({
    change: async () => parley.temporaryFiles.delete(id),
    changes: ['TemporaryFile'],
    done: `${name} deleted.`,
  })
  return (
    <Group justify="end" gap={4} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        loading={download.isPending}
        onClick={() => download.mutate(undefined)}
        aria-label={`Download ${name}`}
      >
        <IconDownload size={16} />
      </ActionIcon>
      {may('file:write') && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete file"
          onConfirm={() => remove.mutateAsync(undefined)}
          trigger={(open) => (
            <ActionIcon variant="subtle" color="red" onClick={open} aria-label={`Delete ${name}`}>
              <IconTrash size={16} />
            </ActionIcon>
          )}
        >
          New questions can no longer use this file.
        </Confirm>
      )}
    </Group>
  )
}
