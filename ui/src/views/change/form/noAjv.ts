/**
 * Stands in for the Ajv validator that @rjsf/core names in a part meant for its own tests: Ajv makes code from text,
 * which the content policy forbids, so it is not among the dependencies.
 */
const noAjv = {};

// biome-ignore lint/style/noDefaultExport: the module that it stands in for has a default export
export default noAjv;
