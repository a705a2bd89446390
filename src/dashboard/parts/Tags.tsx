import styles from './people.module.css'

/** The first tags of a contact, and the number of the others. */
export function Tags({ tags, max = 50 }: { tags: readonly string[]; max?: number }) {
  const shown = tags.slice(0, max)
  const rest = tags.slice(max)
  return (
    <span className={styles.tags}>
      {shown.map((tag) => (
        <bdi key={tag} className={styles.tag} title={tag}>
          {tag}
        </bdi>
      ))}
      {rest.length > 0 && (
        <bdi dir="ltr" className={styles.tag} title={rest.join('\n')}>
          +{rest.length}
        </bdi>
      )}
    </span>
  )
}
