import { type DragEvent, useState } from 'react'

/** File drop on an element. */
export function useFileDrop(onFiles: (files: readonly File[]) => void, isEnabled: boolean) {
  // Child elements fire enter and leave events too.
  const [depth, setDepth] = useState(0)
  const hasFiles = ({ dataTransfer }: DragEvent) => isEnabled && dataTransfer.types.includes('Files')
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => hasFiles(event) && setDepth((known) => known + 1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && setDepth((known) => Math.max(0, known - 1)),
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setDepth(0)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
