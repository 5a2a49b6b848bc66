import { Button } from '@mantine/core'
import type { EndUser } from '@parley/sdk'
import { IconDownload } from '@tabler/icons-react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { saveFile } from '../../parts/save-file'

/** Saves everything about the end user as a file with one JSON object per line. */
export function ExportEndUser({ endUser: { id } }: { readonly endUser: EndUser }) {
  const { parley } = useConsole()
  const save = useChange({
    change: async () => saveFile(`end-user-${id}.ndjson`, await (await parley.endUsers.export(id)).blob()),
    changes: [],
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate(undefined)}
    >
      Export
    </Button>
  )
}
