// The rules of a blog's list and of what stands around a post. What stands in a post is styled by `html/post-body-style`.
export const BLOG_STYLE = `
.lead { margin: 0; color: var(--soft); font-size: 1.1875rem; line-height: 1.5; overflow-wrap: anywhere }
.back { margin: 0 0 1.5rem; font-size: .9375rem; overflow-wrap: anywhere }
.facts { display: flex; flex-wrap: wrap; gap: .1rem .6rem; margin: 0; color: var(--soft); font-size: .9375rem; line-height: 1.5; overflow-wrap: anywhere }
.facts > * { min-width: 0 } .facts > :not(:last-child)::after { content: "·"; margin-inline-start: .6rem }
.tags { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 0; padding: 0 }
.tags li { min-width: 0 }
.tags a { display: block; min-height: 1.75rem; padding: .2rem .75rem; background: var(--surface); border: 1px solid var(--line); border-radius: 99px; color: var(--soft); font-size: .875rem; line-height: 1.35; text-decoration: none; overflow-wrap: anywhere }
.tags a:hover { border-color: var(--edge); color: var(--link) }
.posts { list-style: none; margin: 2.5rem 0 0; padding: 0 }
.posts > li { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.1rem; padding: 1.9rem 0; border-top: 1px solid var(--line) }
.posts h2 { margin: .3rem 0 .45rem; font-size: 1.5rem; overflow-wrap: anywhere }
.posts h2 a { color: inherit; text-decoration: none }
.posts h2 a:hover { color: var(--link); text-decoration: underline; text-decoration-thickness: .06em }
.posts .excerpt { margin: 0; overflow-wrap: anywhere }
.posts .tags { margin-top: .9rem }
.thumb { display: block } .thumb img { display: block; width: 100%; aspect-ratio: 16 / 9; object-fit: cover; background: var(--surface) }
@media (min-width: 40rem) { .posts > li:has(.thumb) { grid-template-columns: minmax(0, 1fr) 11.5rem; gap: 2rem } .posts .thumb { order: 1 } .thumb img { aspect-ratio: 4 / 3 } }
.post-head { margin: 0 0 2.25rem } .post-head h1 { margin: 0 0 .85rem; overflow-wrap: anywhere }
.cover { margin: 1.75rem 0 0 } .cover img { display: block; width: 100%; max-height: 34rem; object-fit: cover; background: var(--surface) }
.post-foot { margin: 3.5rem 0 0; padding: 1.5rem 0 0; border-top: 1px solid var(--line) }
.neighbors { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; margin: 2rem 0 0 }
.neighbors a { display: block; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 8px; color: inherit; text-decoration: none; overflow-wrap: anywhere; line-height: 1.4 }
.neighbors a:hover { border-color: var(--edge); color: var(--link) }
.neighbors span { display: block; margin-bottom: .15rem; color: var(--soft); font-size: .875rem }
@media (min-width: 40rem) { .neighbors { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) } .neighbors [rel="next"] { grid-column: 2; text-align: end } }
.pager { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 2rem; padding-top: 2rem; border-top: 1px solid var(--line) }
.notice { margin: 0 0 2rem; padding: .8rem 1.1rem; background: var(--surface); border: 1px solid var(--line); border-inline-start: 4px solid var(--edge); border-radius: 8px; font-size: .9375rem }
@media print { .neighbors, .notice { display: none } }
`;
