/** Parents whose folders each have an allowance; elsewhere the first folder of a path has one. */
const PARENTS = ['src/modules', 'src/dashboard', 'src/infra', 'src', 'test', 'docs', 'simulators']

/** Returns the folder under which the failures of a file's prose are counted; `.` for files of the root. */
export function folderOf(file) {
  const parent = PARENTS.find((folder) => file.startsWith(`${folder}/`))
  const depth = parent ? parent.split('/').length + 1 : 1
  const folders = file.split('/').slice(0, -1)
  return folders.slice(0, depth).join('/') || '.'
}
