import { ICONS, type IconName } from './icons.ts'

/** An icon of the dashboard's own set, drawn at 16 pixels with an outline of 1.75; only icons of states are filled. */
export function Icon({
  name,
  size = 16,
  className,
  label,
}: {
  name: IconName
  size?: number
  className?: string | undefined
  /** The accessible name, where no text next to the icon says the same. */
  label?: string
}) {
  const { path, isFilled, turns } = ICONS[name]
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      fillRule="evenodd"
      stroke={isFilled ? 'none' : 'currentColor'}
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={[turns ? 'flip' : '', className ?? ''].join(' ').trim() || undefined}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
      style={{ flexShrink: 0 }}
    >
      <path d={path} />
    </svg>
  )
}
