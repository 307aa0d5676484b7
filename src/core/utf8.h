#ifndef MS_CORE_UTF8_H
#define MS_CORE_UTF8_H

/* Bytes of the UTF-8 character that text begins with, 0 if it is none (Unicode, table 3-7). */
int ms_utf8_length(const char *text);

#endif
