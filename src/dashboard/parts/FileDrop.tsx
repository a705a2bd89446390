import { useRef, useState, type ComponentProps, type ReactNode } from 'react'

/** An area on which a file can be dropped, or chosen by the button that `children` renders. */
export function FileDrop({
  accept,
  fieldLabel,
  onFile,
  children,
  ...place
}: {
  accept: string
  /** The accessible name of the hidden file input. */
  fieldLabel: string
  onFile(file: File): void
  children(choose: () => void): ReactNode
} & Omit<ComponentProps<'div'>, 'children'>) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (file: File | undefined) => file && onFile(file)
  return (
    <div
      {...place}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files[0])
      }}
    >
      {children(() => input.current?.click())}
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        aria-label={fieldLabel}
        onChange={(event) => {
          take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
