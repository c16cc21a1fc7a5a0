-- Colors and measures of the parts of a kit's site as JSON; null for none.
alter table brand_kit add column design text;
